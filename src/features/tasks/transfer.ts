import { fileKey } from "../../kernel/files.ts";
import type { Claimed } from "../../kernel/record.ts";
import { type Transferred, transferPart } from "../../kernel/transfer.ts";
import { nextStep, type NextStep } from "./capacity.ts";
import { attemptOf, taskKind, type TaskKind } from "./kind.ts";
import { emptyOutcome } from "./outcome.ts";
import { waitingHolds } from "./ports.ts";

type Task = Transferred<TaskKind>;

export const transferTask = transferPart({
  kind: taskKind,
  withoutSecrets: (body) =>
    body.name === "http" ? { ...body, input: unsigned(body.input) } : body,
  withSecret(body, secret) {
    const { name, input } = fieldsOf(body);
    return name === "http" ? { ...fieldsOf(body), input: { ...fieldsOf(input), secret } } : body;
  },
  key: ({ key, id, parent, body }) => {
    const { name, input, event, slot } = body;
    const { name: file, asked } = fileKey(id);
    if (key === file) return { asked };
    if (event !== undefined && key?.startsWith(`event-task:${event.id}:`)) {
      const [, before = null] = key.split(`event-task:${event.id}:${event.handler}:`);
      return { asked: { event: event.id, handler: event.handler, before } };
    }
    // A function that requests another run names it by its input.
    return slot === undefined && event === undefined && parent !== null
      ? { asked: { name, input } }
      : { asked: key };
  },
  prepare: (records, { now }) => records.map((record) => arrived(record, now())),
  holds(record, context) {
    const { turns, keeps = [] } = record.body;
    if (turns === undefined) return keeps;
    return context.use(waitingHolds).flatMap((holdsOf) => holdsOf(record));
  },
});

function unsigned(input: unknown): TaskKind["body"]["input"] {
  const { secret: _, ...rest } = fieldsOf(input);
  return rest as TaskKind["body"]["input"]; // a part of JSON is JSON
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/**
 * Its output stays behind, and so does its turn, which it takes again. An attempt that was running counts as one whose
 * node is gone, by the same rules.
 */
function arrived(record: Task, now: number): Task {
  const { outcome, endedAt, inFlight } = record;
  const before = outcome && { ...outcome, outputBytes: 0 };
  if (endedAt !== null) return { ...record, outcome: before };
  const step = inFlight ? stepAfterLapse(record, now) : undefined;
  if (step === "interrupted") {
    const reason = "it was running when its book was exported";
    const ended = { ...emptyOutcome, ...before, finishedAt: now, reason };
    return { ...record, state: "interrupted", endedAt: now, outcome: ended };
  }
  const earlier = attemptOf(record) - (step === "turn" ? 1 : 0); // without its turn it had done nothing
  if (before === null && earlier === 0) return record;
  const { hasTurn: _, isInLine: __, rateUntil: ___, ...waiting } = before ?? emptyOutcome;
  return { ...record, outcome: earlier === 0 ? waiting : { ...waiting, earlier } };
}

/** What would be done with it if its lease had lapsed here. */
function stepAfterLapse(record: Task, now: number): NextStep {
  const lease = { holder: "", fence: 0, claimedAt: now };
  const { attempt, lapses, createdAt } = record;
  const claimed = { attempt: attempt + 1, lapses: lapses + 1, lease, wakeAt: now, revision: 1 };
  const again: Claimed<TaskKind> = { ...record, ...claimed, owner: "", updatedAt: createdAt };
  return nextStep(again, undefined, now);
}
