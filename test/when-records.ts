import { eventTask } from "../src/features/events/event-task.ts";
import type { Handler } from "../src/features/events/handler.ts";
import { makeEvent, type EventKind } from "../src/features/events/kind.ts";
import { eventContext } from "../src/features/events/ports.ts";
import { makeQuestion } from "../src/features/events/question.ts";
import { taskKind } from "../src/features/tasks/kind.ts";
import { emptyOutcome } from "../src/features/tasks/outcome.ts";
import { is } from "../src/kernel/kind.ts";
import type { Installation, Context } from "../src/kernel/operation.ts";
import type { Priority } from "../src/kernel/record.ts";
import type { DraftOf } from "../src/kernel/unit.ts";
import { installed, worker } from "./book-fixture.ts";

interface Happening {
  /** Who handles it; a handler whose tasks workers outside take, unless told. */
  readonly handler?: Handler;
  readonly name?: string;
  readonly task?: string;
  readonly priority?: Priority;
  /** Its task has ended already, and so has the event. */
  readonly failed?: boolean;
}

/** Mina, who asks beside a face. */
export function minaAt({ installation }: { readonly installation: Installation }): Context {
  const scopes = ["read", "write"] as const;
  const profile = installed;
  return { ...installation, owner: "mina", by: "mina", scopes, origin: null, profile };
}

/** An event that has a task, as the router leaves it. */
export async function happening(
  context: Context,
  more: Happening = {},
): Promise<{ event: string; task: string }> {
  const { handler = worker, task = "task-20261115-001", priority = "normal" } = more;
  const { ledger, owner, by, now } = context;
  const book = ledger.of(owner, by);
  const why = more.failed === true ? "no disk" : null;
  const outcome = { handler: handler.name, task, reason: why };
  const ends = why === null ? ({ state: "dispatched" } as const) : ({ ends: "failed" } as const);
  const { kind, id, body, key } = eventOf(context, more);
  const named = { id: id ?? "", ...(key && { key }) };
  await book.append({ kind, body, priority, parent: null, ...named, outcome, ...ends });
  const seen = { id: named.id, body, priority, outcome: null };
  const target = handler.target ?? `inbox:${owner}`;
  const capacity = { thread: null, capacity: 3 };
  const made = eventTask(seen, handler, { id: task, now: now(), target, ...capacity });
  const times = { startedAt: now(), finishedAt: now() };
  const over = {
    kind: "task",
    id: task,
    queue: made.queue ?? "",
    body: made.body,
    ends: "failed",
    outcome: { ...emptyOutcome, ...times, reason: why },
  } as const;
  await book.append({ ...(why === null ? made : over), parent: named.id });
  return { event: named.id, task };
}

function eventOf(
  { owner, now, use }: Context,
  { handler = worker, name = "evt-jira-OPS-7", priority = "normal" }: Happening,
): DraftOf<EventKind> {
  const [type = ""] = handler.subscribes;
  const body = { name, type, source: "jira", repo: null, payload: { key: "OPS-7" }, hops: 0 };
  const making = { owner, home: use(eventContext)?.home ?? owner, now: now(), priority };
  return makeEvent({ ...body, at: now(), origin: null }, making);
}

/** What such a task asked when it ended. */
export async function questioned(
  context: Context,
  { choices = [], ...more }: Happening & { choices?: readonly string[] } = {},
): Promise<{ event: string; task: string; question: string }> {
  const { event, task } = await happening(context, { ...more, failed: true });
  const { ledger, owner, by, now } = context;
  const book = ledger.of(owner, by);
  const record = await book.get(task);
  if (!is(taskKind, record) || record.body.event === undefined) throw new Error(task);
  const about = { ...record, body: { ...record.body, event: record.body.event } };
  const asked = { text: "Which branch?", choices, sessionId: "s-1" };
  const { id } = await book.append({ ...makeQuestion(about, asked, now()), parent: task });
  return { event, task, question: id };
}
