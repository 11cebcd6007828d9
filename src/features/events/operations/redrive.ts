import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import type { Json } from "../../../platform/json.ts";
import { requestKey } from "../../notifications/index.ts";
import { makeTask, type TaskKind, taskKind, type TaskEvent } from "../../tasks/index.ts";
import { handlerTask } from "../event-task.ts";
import { makeEvent, type EventKind, eventKind } from "../kind.ts";
import { handlerNamed, noHandler, underTaskId, eventContextOf } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { plain } from "./emit.ts";
import { tasksOfEvent } from "./event-view.ts";
import { contentInputs, queuedId, queuedRecord } from "./queue-entry.ts";
import { retry } from "./retry-notification.ts";

type Task = LedgerRecord<TaskKind>;

const input = z.strictObject({ id: queuedId, ...contentInputs });
type Input = z.infer<typeof input>;

const output = z.object({
  id: z.string().describe("the new record"),
  kind: z.enum(["event", "task", "notification"]),
  state: z.string(),
  of: z.string().describe("the record that it repeats"),
  fresh: z.boolean().describe("false: it was requested before"),
});
type Output = z.infer<typeof output>;

export const retryTask = operation({
  name: "redrive_queued",
  oldNames: ["retry_task"],
  summary: "Run again a task, the work for an event, or a message that has ended.",
  input,
  output,
  aliases: { task_id: "id" },
  effect: "adds",
  example: { id: "task-20261115-001" },
  route: { method: "POST", path: "/v1/queue/{id}/redrive", oldPath: "/v1/tasks/{id}/retry" },
  command: { name: "queue redrive", positionals: ["id"] },
  run: redrive,
  render({ id, of, fresh }, { language }) {
    const texts = textsOf(language);
    return fresh ? texts.redriven({ of, id }) : texts.redrivenBefore({ of, id });
  },
});

/** A record that has ended stays as it is: the repetition is a new record with the old one as its parent. */
export async function redrive(request: Input, context: Context): Promise<Output> {
  const record = await queuedRecord(bookOf(context), request.id);
  if (record.endedAt === null) {
    const sentence = `${record.id} has not ended (${record.state}): wait, or cancel it first.`;
    throw new DaybookError("leased", sentence, { details: { state: record.state } });
  }
  if (is(taskKind, record)) return redriveTask(record, request, context);
  if (is(eventKind, record)) return redriveEvent(record, request, context);
  if (request.payload !== undefined || request.input !== undefined) {
    const sentence = "A message is sent again unchanged: leave out payload and input.";
    throw new DaybookError("invalid", sentence);
  }
  const { id, state, fresh } = await retry.run({ id: record.id }, context);
  return { id, kind: "notification", state, of: record.id, fresh };
}

async function redriveTask(old: Task, request: Input, context: Context): Promise<Output> {
  const { payload, input: given } = request;
  const key = requestKey(`retry-task:${old.id}`, { payload, input: given }, context.now());
  const { event, slot } = old.body;
  if (slot !== undefined) {
    const sentence = `${old.id} is a run of a schedule. To run it again: daybook schedule run ${slot.name}.`;
    throw new DaybookError("invalid", sentence, { details: { schedule: slot.schedule } });
  }
  const write = (draft: DraftOf<TaskKind>) =>
    bookOf(context).append({ ...draft, parent: old.id, key });
  try {
    const { id, record, fresh } = await (event === undefined
      ? write(ownTaskAgain(old, request, context))
      : underTaskId(context, (taskId) =>
          write(handlerTaskAgain({ ...old, event }, request, context, taskId)),
        ));
    return { id, kind: "task", state: record?.state ?? "forgotten", of: old.id, fresh };
  } catch (error) {
    throw hasCode(error, "conflict") ? redrivenBefore(old, error) : error;
  }
}

/** A repetition with another payload is the next one of the repetition, not a second one of the first task. */
function redrivenBefore({ id }: Task, cause: DaybookError): DaybookError {
  const { details } = cause;
  const sentence = `${id} was run again before, as ${String(details["id"])}: redrive that one.`;
  return new DaybookError("conflict", sentence, { cause, details });
}

function ownTaskAgain(
  { body, priority }: Task,
  request: Input,
  { now }: Context,
): DraftOf<TaskKind> {
  if (request.payload !== undefined) throw wrongInput("payload", "input");
  const { answers: _, ...same } = body;
  const given = request.input === undefined ? body.input : (request.input as Json); // makeTask checks it
  return { ...makeTask({ ...same, input: given, at: now() }), priority };
}

function handlerTaskAgain(
  { body, priority, event }: Task & { event: TaskEvent },
  request: Input,
  context: Context,
  id: string,
): DraftOf<TaskKind> {
  if (request.input !== undefined) throw wrongInput("input", "payload");
  const handler = handlerNamed(context, event.handler);
  if (handler === undefined) throw noHandler(event.handler);
  const payload = request.payload === undefined ? event.payload : plain(request.payload);
  const { target, origin, answers } = body;
  const { capacity } = eventContextOf(context);
  const facts = { id, now: context.now(), target, thread: event.thread, origin, capacity, answers };
  const draft = handlerTask({ ...event, payload, channels: handler.channels }, handler, facts);
  return { ...draft, priority };
}

/** The newest task of the event runs again. An event without a task is appended again. */
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
  const { home } = eventContextOf(context);
  const draft = makeEvent(again, { owner, home, now: now(), priority });
  const { id, record, fresh } = await book.append({ ...draft, parent: old.id });
  return { id, kind: "event", state: record?.state ?? "forgotten", of: old.id, fresh };
}

function wrongInput(given: string, meant: string): DaybookError {
  return new DaybookError("invalid", `This has no ${given}: give another ${meant} instead.`);
}
