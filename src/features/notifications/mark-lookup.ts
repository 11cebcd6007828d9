import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Json } from "../../platform/json.ts";
import { type NotificationKind, notificationKind } from "./kind.ts";
import { canMark } from "./mark.ts";
import type { Sent } from "./receipt.ts";

type Notification = LedgerRecord<NotificationKind>;

/** What was said, and where it stands. */
export interface Marked {
  readonly said: Notification;
  readonly receipt: Json;
}

const childrenMax = 100;

/** Finds what a mark is to be shown on; or says why there is nothing to show, or not yet. */
export function marking(
  ledger: Ledger,
): (mark: Claimed<NotificationKind>) => Promise<Marked | Sent> {
  return async (mark) => {
    const id = mark.body.marks?.said ?? "";
    const book = ledger.of(mark.owner, mark.by);
    const said = await book.get(id);
    if (!is(notificationKind, said)) return nothing("it is forgotten");
    const { records } = await book.list({
      kind: notificationKind,
      parent: id,
      order: "newest",
      limit: childrenMax,
    });
    const marks = records.filter(({ body }) => body.type === "mark");
    const [newest] = marks;
    // One that somebody had tried again follows from the one that failed, and is meant as it is.
    const isOlder = marks.slice(1).some(({ id: each }) => each === mark.id);
    if (isOlder) return nothing(`a newer one is shown: ${newest?.id}`);
    if (said.endedAt === null) return later("the message is not sent yet");
    // An older one that is shown at the same time might arrive last.
    const isShowing = marks.some((each) => each.id !== mark.id && each.lease !== null);
    if (isShowing) return later("an older one is being shown");
    if (!canMark(said)) return nothing("no message was sent that can show it");
    return { said, receipt: said.outcome?.receipt ?? null };
  };
}

function nothing(why: string): Sent {
  return { result: "delivered", receipt: { nothing: why } };
}

function later(reason: string): Sent {
  return { result: "retry", reason };
}
