import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";
import type { Json } from "../../platform/json.ts";
import { makeNotification, type NotificationKind } from "../notifications/kind.ts";
import type { NagKind } from "./kind.ts";
import { pageMessage } from "./page-text.ts";
import type { PageKind } from "./page.ts";

type Nag = Pick<LedgerRecord<NagKind>, "id" | "body" | "priority">;

/** What says it for the so-manieth time. */
export function sayingId(nagId: string, round: number): string {
  return idFrom(sayingKey(nagId, round));
}

function sayingKey(nagId: string, round: number): string {
  return `nag:${nagId}:${round}`;
}

/** What it is about, in the words of this moment. */
export function wordsOf(
  { about }: NagKind["body"],
  page: LedgerRecord<PageKind> | null | undefined,
): string {
  if ("text" in about) return about.text;
  return (page ? pageMessage(page.body) : "") || about.page;
}

export interface Saying {
  readonly round: number;
  /** Which it is by the count. */
  readonly count: number;
  readonly at: number;
  readonly message: string;
  readonly isAsked: boolean;
}

/** The notification that says it, and one for whoever hears it too by now. */
export function sayings(record: Nag, saying: Saying): readonly DraftOf<NotificationKind>[] {
  const { id, body, priority } = record;
  const { round, count, at, message, isAsked } = saying;
  const { target, origin, because, curve, curveName } = body;
  const said = {
    message,
    at,
    atText: isAsked ? body.atText : curveName,
    origin,
    type: "nag",
  } satisfies Partial<NotificationKind["body"]>;
  const name = sayingKey(id, round);
  const first = made({
    ...said,
    target,
    ...(because === undefined ? {} : { because }),
    wakes: true,
  });
  const { escalate } = curve;
  if (escalate === undefined || count < escalate.after || escalate.target === target)
    return [first];
  return [first, made({ ...said, target: escalate.target }, ":also")];

  function made(request: NotificationKind["body"], also = ""): DraftOf<NotificationKind> {
    const key = `${name}${also}`;
    return {
      ...makeNotification(request, { priority }),
      id: idFrom(key),
      parent: id,
      key: { name: key, asked: key },
    };
  }
}

/** What the channel calls what it sent; its record's id when it does not say. */
export function receiptId({ id, outcome }: LedgerRecord<NotificationKind>): string {
  return named(outcome?.receipt ?? null) ?? id;
}

function named(receipt: Json): string | undefined {
  if (typeof receipt === "string" && receipt !== "") return receipt;
  if (typeof receipt === "number") return String(receipt);
  if (typeof receipt !== "object" || receipt === null) return undefined;
  const inner = Array.isArray(receipt)
    ? [(receipt as readonly Json[]).at(-1)]
    : ["messageId", "messages", "id", "ts", "receipt"].map(
        (name) => (receipt as { readonly [name: string]: Json | undefined })[name],
      );
  return inner.map((each) => (each === undefined ? undefined : named(each))).find(Boolean);
}
