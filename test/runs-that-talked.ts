import { makeNotification } from "../src/features/notifications/kind.ts";
import { makeTask } from "../src/features/tasks/kind.ts";
import { emptyOutcome } from "../src/features/tasks/outcome.ts";
import type { Context } from "../src/kernel/operation.ts";

/** Two runs: one that asks a person, and one whose message was delivered. */
export async function runsThatTalked(
  { ledger, owner, by, now }: Context,
  choices: readonly string[] = [],
): Promise<{ asking: string; spoken: string; said: string }> {
  const book = ledger.of(owner, by);
  const where = { target: `inbox:${owner}`, origin: null };
  const body = { name: "invoice.send", input: {}, at: now(), timeoutMs: 60_000, ...where };
  const draft = makeTask(body);
  const outcome = { ...emptyOutcome, startedAt: now(), question: { text: "Send it?", choices } };
  const asks = { state: "needs_human", outcome } as const;
  const { id: asking } = await book.append({ ...draft, ...asks });
  const done = { ...emptyOutcome, startedAt: now(), finishedAt: now(), summary: "three are open" };
  const { kind, queue = "" } = draft;
  const { id: spoken } = await book.append({ kind, queue, body, ends: "completed", outcome: done });
  const message = { message: "three are open", at: now(), atText: "now", type: "run" } as const;
  const { kind: notification, body: told } = makeNotification({ ...message, ...where });
  const receipt = { receipt: { id: 1 }, reason: null, maybeDelivered: false };
  const { id: said } = await book.append({
    kind: notification,
    body: told,
    ends: "delivered",
    outcome: receipt,
    parent: spoken,
  });
  return { asking, spoken, said };
}
