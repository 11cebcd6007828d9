import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { makeNotification, type NotificationKind } from "../notifications/kind.ts";
import type { NoticeReader } from "../notifications/undeliverable.ts";
import type { ErrorInfo } from "./fault.ts";
import type { WorkspaceKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

/** What is said when a workspace cannot be mended by itself: to its owner, and to who looks after the machines. */
export function errorNotices(
  { owner, body, outcome }: LedgerRecord<WorkspaceKind>,
  fault: ErrorInfo,
  { reader, administrator }: { reader: NoticeReader; administrator: string | null },
  now: number,
): readonly DraftOf<NotificationKind>[] {
  const { name, target } = body;
  const texts = textsOf(reader.language);
  const about = {
    name,
    owner,
    operation: outcome?.operation ?? null,
    reason: fault.reason,
    message: fault.message,
  };
  const say = (to: string, message: string): DraftOf<NotificationKind> =>
    makeNotification({ message, at: now, atText: "now", target: to, origin: null, type: "notice" });
  const own = say(target, texts.failed(about));
  // Who is told already is not told twice.
  if (administrator === null || administrator === target) return [own];
  return [own, say(administrator, texts.failedOf(about))];
}
