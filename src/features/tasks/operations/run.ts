import * as z from "zod";
import { ask } from "../../../kernel/ask.ts";
import type { Ledger } from "../../../kernel/ledger.ts";
import {
  type Installation,
  operation,
  type Context,
  type Caller,
} from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { portsOver, provide } from "../../../kernel/port.ts";
import type { Key } from "../../../kernel/unit.ts";
import { sleep, type Clock } from "../../../platform/clock.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { parseTime } from "../../../time/times.ts";
import { dueOf, dueView, momentOptions } from "../../accounts/index.ts";
import { fields, timeWords, requestKey, checkedRoute } from "../../notifications/index.ts";
import { isTask, type TaskDefinition } from "../function.ts";
import { makeTask, timeoutMsDefault, type TaskKind, taskKind } from "../kind.ts";
import { runWorkspacesIn, localRunners } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { targetBecause, targetInput, timeoutInput, workspaceInput } from "./inputs.ts";
import { timeText, untilEnd, type RunHandle, type RunNow, type RunOptions } from "./run-handle.ts";
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
  effect: "adds",
  example: { task: "invoice.send", input: { id: 7 } },
  route: { method: "POST", path: "/v1/tasks" },
  command: { name: "run", positionals: ["task"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const look = momentOptions(context, request.timezone);
    const at = request.at === undefined ? look.now : parseTime(request.at, look).at;
    const { target, reason } = await checkedRoute(request.target, context);
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
  return requestKey(name, { ...asked, target }, at);
}

export interface Runs {
  /** Asks for a run of a function, which need not be one that this process runs. */
  run<Input, Output>(
    task: TaskDefinition<Input, Output>,
    input: NoInfer<Input>,
    options?: RunOptions,
  ): Promise<RunHandle>;
}

/** Waits for the end of a run. */
export type AwaitRun = (
  look: () => Promise<RunNow>,
  signal?: AbortSignal,
) => ReturnType<typeof untilEnd>;

export function awaitRunWith(clock: Clock): AwaitRun {
  return (look, signal) => untilEnd(look, (ms) => sleep(clock, ms, signal), signal);
}

export interface Ends {
  awaitRun: AwaitRun;
  /** Where ends are seen. */
  ledger: Ledger;
}

/** Runs as one caller asks for them. */
export function runsFor(
  installation: Installation,
  caller: Caller,
  { awaitRun, ledger }: Ends,
): Runs {
  const look = async (id: string): Promise<RunNow> => {
    const { state, outcome } = await find(ledger.of(caller.owner, caller.by), taskKind, id);
    return { status: state, reason: outcome?.reason ?? null, result: outcome?.result ?? null };
  };
  return {
    async run(task, input, { at, key, target, origin = caller.origin } = {}) {
      if (!isTask(task)) {
        const advice = "or ask for one by its name with runTask";
        throw new DaybookError("invalid", `run takes what task() made: give that, ${advice}.`);
      }
      // Its input is checked by the function at hand, whoever runs it.
      const known = { ...installation.use(localRunners), tasks: [task] };
      const here = {
        ...installation,
        ...portsOver(
          installation,
          provide(localRunners, () => known),
        ),
      };
      const request = {
        task: task.name,
        input,
        ...(at === undefined ? {} : { at: timeText(at) }),
        ...(key === undefined ? {} : { key }),
        ...(target === undefined ? {} : { target }),
      };
      const { output } = await ask(here, runTask, request, { ...caller, origin });
      const { id, fresh } = runTask.output.parse(output);
      return { id, fresh, result: ({ signal } = {}) => awaitRun(() => look(id), signal) };
    },
  };
}
