import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Key } from "../../../kernel/unit.ts";
import { parseTime } from "../../../time/times.ts";
import { dueOf, dueView, momentOptions } from "../../accounts/moment-view.ts";
import { fields, timeWords, keptKey } from "../../notifications/operations/fields.ts";
import { routed } from "../../notifications/operations/target.ts";
import { makeTask, timeoutMsDefault, type TaskKind } from "../kind.ts";
import { runWorkspacesIn } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { targetBecause, targetInput, timeoutInput, workspaceInput } from "./inputs.ts";
import { taskInput, taskNamed } from "./run-types.ts";
import { timeoutOf } from "./runnable.ts";

const input = z.strictObject({
  task: z.string().min(1).describe("the task that runs, by its name"),
  input: z.unknown().optional().describe("what the task gets, as JSON"),
  at: fields.at.optional().describe(timeWords),
  timezone: fields.timezone,
  target: targetInput,
  timeout: timeoutInput,
  in: workspaceInput,
  key: fields.key,
});
type Input = z.infer<typeof input>;

const output = z.object({
  id: z.string(),
  task: z.string(),
  state: z.string().describe("forgotten: it was asked before with the same key, and is gone"),
  due: dueView,
  target: z.string(),
  target_because: targetBecause,
  fresh: z.boolean().describe("false: it had been asked before with the same key"),
  unknown_task: z.string().optional().describe("a task that nobody here runs: it waits"),
});

export const runTask = operation({
  name: "run_task",
  summary: "Run a task once, now or later.",
  input,
  output,
  scope: "write",
  effect: "adds",
  route: { method: "POST", path: "/v1/tasks" },
  command: { name: "run", positionals: ["task"] },
  tool: "on request",
  async run(request, context): Promise<z.infer<typeof output>> {
    const look = momentOptions(context, request.timezone);
    const at = request.at === undefined ? look.now : parseTime(request.at, look).at;
    const { target, reason } = await routed(request.target, context);
    const { body, isKnown } = await bodyOf(request, context, { at, target });
    const keyed = request.key === undefined ? {} : { key: keyOf(request, target, at) };
    const { id, record, fresh } = await bookOf(context).append(makeTask(body, keyed));
    return {
      id,
      task: request.task,
      state: record?.state ?? "forgotten",
      due: dueOf(record?.body.at ?? at, look),
      target: record?.body.target ?? target,
      target_because: reason,
      fresh,
      ...(isKnown ? {} : { unknown_task: request.task }),
    };
  },
  render({ id, task: name, state, due, fresh, unknown_task: unknown }, { language }) {
    const texts = textsOf(language);
    if (!fresh) return `${texts.runAskedBefore({ name, state })}\n${id}`;
    const line = texts.runIs({ name, id, state, when: due.text });
    return [line, ...(unknown === undefined ? [] : [texts.nobodyRuns(unknown)])].join("\n");
  },
});

async function bodyOf(
  request: Input,
  context: Context,
  { at, target }: { at: number; target: string },
): Promise<{ body: TaskKind["body"]; isKnown: boolean }> {
  const definition = taskNamed(request.task, context);
  if (request.in !== undefined) await runWorkspacesIn(context).checkRunIn(request.in, context);
  const body = {
    name: request.task,
    input: await taskInput(request.task, request.input, definition),
    at,
    target,
    origin: context.origin,
    timeoutMs: timeoutOf(request.timeout, definition?.timeoutMs ?? timeoutMsDefault),
    ...(definition === undefined ? {} : { retry: definition.retry }),
    ...(request.in === undefined ? {} : { in: request.in }),
  };
  return { body, isKnown: definition !== undefined };
}

/** A key stands for what was typed: "+30m" is another moment when it is asked again. */
function keyOf({ key: name = "", ...asked }: Input, target: string, at: number): Key {
  return keptKey(name, { ...asked, target }, at);
}
