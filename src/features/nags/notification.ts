import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";
import type { Json } from "../../platform/json.ts";
import { makeNotification, type NotificationKind } from "../notifications/index.ts";
import type { Nag } from "./kind.ts";
import { pageMessage, type Page } from "./page.ts";

/** The id of a nag's nth notification. */
export function notificationId(nagId: string, round: number): string {
  return idFrom(notificationKey(nagId, round));
}

function notificationKey(nagId: string, round: number): string {
  return `nag:${nagId}:${round}`;
}

/** The text of a nag as it is now. */
export function nagMessage({ about }: Nag["body"], page: Page | null | undefined): string {
  if ("text" in about) return about.text;
  return (page ? pageMessage(page.body) : "") || about.page;
}

interface Send {
  readonly round: number;
  /** The number of the message, from 1; a message that fails keeps it for the next round. */
  readonly count: number;
  readonly at: number;
  readonly message: string;
  /** A person requested this time. */
  readonly isRequested: boolean;
}

/** The notification that sends the nag, and a second one to the target that it escalates to. */
export function nagNotifications(
  { id, body, priority }: Nag,
  { round, count, at, message, isRequested }: Send,
): readonly DraftOf<NotificationKind>[] {
  const { target, origin, targetReason, curve, curveName } = body;
  const atText = isRequested ? body.atText : curveName;
  const content = { message, at, atText, origin, type: "nag" } as const;
  const key = notificationKey(id, round);
  const first = draft({ ...content, target, targetReason, wakesParent: true }, key);
  const { escalate } = curve;
  if (escalate === undefined || count < escalate.after || escalate.target === target) {
    return [first];
  }
  return [first, draft({ ...content, target: escalate.target }, `${key}:also`)];

  function draft(request: NotificationKind["body"], name: string): DraftOf<NotificationKind> {
    const made = makeNotification(request, { priority });
    return { ...made, id: idFrom(name), parent: id, key: { name, asked: name } };
  }
}

/** The channel's id of the message; the record's id when the receipt has none. */
export function receiptId({ id, outcome }: LedgerRecord<NotificationKind>): string {
  return idIn(outcome?.receipt ?? null) ?? id;
}

function idIn(receipt: Json): string | undefined {
  if (typeof receipt === "string" && receipt !== "") return receipt;
  if (typeof receipt === "number") return String(receipt);
  if (typeof receipt !== "object" || receipt === null) return undefined;
  const inner = Array.isArray(receipt)
    ? [(receipt as readonly Json[]).at(-1)]
    : ["messageId", "messages", "id", "ts", "receipt"].map(
        (name) => (receipt as { readonly [name: string]: Json | undefined })[name],
      );
  return inner.map((each) => (each === undefined ? undefined : idIn(each))).find(Boolean);
}
