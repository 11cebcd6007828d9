import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import type { Json } from "../../../platform/json.ts";
import { requestKey } from "../../notifications/index.ts";
import { makeTask, type TaskKind, taskKind, type TaskEvent } from "../../tasks/index.ts";
import { handlerTask } from "../event-task.ts";
import { makeEvent, type EventKind, eventKind } from "../kind.ts";
import { handlerNamed, noHandler, underTaskId, handlingIn } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { plain } from "./emit.ts";
import { tasksOfEvent } from "./event-view.ts";
import { queuedRecord } from "./queued.ts";
import { retry } from "./retry-notification.ts";

type Task = LedgerRecord<TaskKind>;

const input = z.strictObject({
  id: z.string().min(1).describe("which event, task or message, by its id"),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("another payload, as JSON; @FILE or - for what is in a file or comes in"),
  input: z.unknown().optional().describe("what the task gets instead, as JSON"),
});
type Input = z.infer<typeof input>;

const output = z.object({
  id: z.string().describe("what is done once more"),
  kind: z.enum(["event", "task", "notification"]),
  state: z.string(),
  of: z.string().describe("what it is once more"),
  fresh: z.boolean().describe("false: it was asked for before"),
});
type Output = z.infer<typeof output>;

export const retryTask = operation({
  name: "retry_task",
  summary: "Do once more what has ended: a task, what is done for an event, a message.",
  input,
  output,
  aliases: { task_id: "id" },
  effect: "adds",
  example: { id: "task-20261115-001" },
  route: { method: "POST", path: "/v1/tasks/{id}/retry", also: "/v1/queue/{id}/redrive" },
  command: { name: "queue redrive", positionals: ["id"] },
  run: redrive,
  render({ id, of, fresh }, { language }) {
    const texts = textsOf(language);
    return fresh ? texts.redriven({ of, id }) : texts.redrivenBefore({ of, id });
  },
});

/** Ends are never opened again: what is done once more is a new record, which says of what. */
export async function redrive(request: Input, context: Context): Promise<Output> {
  const record = await queuedRecord(bookOf(context), request.id);
  if (record.endedAt === null) {
    const sentence = `${record.id} has not ended, being ${record.state}: wait, or cancel it first.`;
    throw new DaybookError("leased", sentence, { details: { state: record.state } });
  }
  if (is(taskKind, record)) return redriveTask(record, request, context);
  if (is(eventKind, record)) return redriveEvent(record, request, context);
  if (request.payload !== undefined || request.input !== undefined) {
    throw new DaybookError("invalid", "A message is said again as it is: leave out the rest.");
  }
  const { id, state, fresh } = await retry.run({ id: record.id }, context);
  return { id, kind: "notification", state, of: record.id, fresh };
}

async function redriveTask(old: Task, request: Input, context: Context): Promise<Output> {
  const { payload, input: given } = request;
  const key = requestKey(`retry-task:${old.id}`, { payload, input: given }, context.now());
  const { event, slot } = old.body;
  if (slot !== undefined) {
    const sentence = `${old.id} is a run of a schedule: daybook run-now ${slot.name}.`;
    throw new DaybookError("invalid", sentence, { details: { schedule: slot.schedule } });
  }
  const write = (draft: DraftOf<TaskKind>) =>
    bookOf(context).append({ ...draft, parent: old.id, key });
  try {
    const { id, record, fresh } = await (event === undefined
      ? write(plainAgain(old, request, context))
      : underTaskId(context, (taskId) =>
          write(againOf({ ...old, event }, request, context, taskId)),
        ));
    return { id, kind: "task", state: record?.state ?? "forgotten", of: old.id, fresh };
  } catch (error) {
    throw hasCode(error, "conflict") ? doneBefore(old, error) : error;
  }
}

/** With another payload it would be something else: what is done once more is that one's next. */
function doneBefore({ id }: Task, cause: DaybookError): DaybookError {
  const { details } = cause;
  const sentence = `${id} was done once more before, as ${String(details["id"])}: redrive that one.`;
  return new DaybookError("conflict", sentence, { cause, details });
}

function plainAgain({ body, priority }: Task, request: Input, { now }: Context): DraftOf<TaskKind> {
  if (request.payload !== undefined) throw wrongInput("payload", "input");
  const { answers: _, ...same } = body;
  const given = request.input === undefined ? body.input : (request.input as Json); // makeTask checks it
  return { ...makeTask({ ...same, input: given, at: now() }), priority };
}

function againOf(
  { body, priority, event }: Task & { event: TaskEvent },
  request: Input,
  context: Context,
  id: string,
): DraftOf<TaskKind> {
  if (request.input !== undefined) throw wrongInput("input", "payload");
  const handler = handlerNamed(context, event.handler);
  if (handler === undefined) throw noHandler(event.handler);
  const about: TaskEvent = {
    ...event,
    payload: request.payload === undefined ? event.payload : plain(request.payload),
    channels: handler.channels,
  };
  const { target, origin, answers } = body;
  const made = { id, now: context.now(), target, thread: event.thread, origin };
  const { capacity } = handlingIn(context);
  const said = answers === undefined ? {} : { answers };
  return { ...handlerTask(about, handler, { ...made, capacity, ...said }), priority };
}

/** The newest of its tasks; one that nobody handled is told of anew. */
async function redriveEvent(
  old: LedgerRecord<EventKind>,
  request: Input,
  context: Context,
): Promise<Output> {
  const book = bookOf(context);
  const newest = (await tasksOfEvent(book, old)).at(-1);
  if (newest !== undefined) {
    return { ...(await redrive({ ...request, id: newest.id }, context)), of: old.id };
  }
  if (request.input !== undefined) throw wrongInput("input", "payload");
  const { owner, now } = context;
  const { body, priority } = old;
  const payload = request.payload === undefined ? body.payload : plain(request.payload);
  const again = { ...body, name: `${body.name}-again`, payload, at: now() };
  const { home } = handlingIn(context);
  const draft = makeEvent(again, { owner, home, now: now(), priority });
  const { id, record, fresh } = await book.append({ ...draft, parent: old.id });
  return { id, kind: "event", state: record?.state ?? "forgotten", of: old.id, fresh };
}

function wrongInput(given: string, meant: string): DaybookError {
  return new DaybookError("invalid", `This has no ${given}: give it another ${meant}.`);
}
