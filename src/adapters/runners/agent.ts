import {
  type Job,
  type Ran,
  type RunContext,
  type Runner,
  type Usage,
  readMarker,
} from "../../features/tasks/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import type { Json } from "../../platform/json.ts";
import type { Spawn } from "../../platform/process.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { budget, type AgentLimits, type Prices, type Budget } from "./agent-budget.ts";
import { loadAgents, turnFault } from "./agent-model.ts";
import { type AgentProfile, goalText, systemText } from "./agent-prompt.ts";
import { type AgentTool, takeTurns, type Ai } from "./agent-turns.ts";
import { finalFailure, stopReason, type Failed, resultLine } from "./result.ts";

interface AgentOptions {
  clock: Clock;
  /** A model of the package `ai`, or what makes one. */
  model: string | object | (() => Promise<string | object>);
  /** The tools of a run, for the job's owner and principal. */
  tools(job: Job): readonly AgentTool[];
  /** The time zone and language of an owner. */
  profile(owner: string): Promise<AgentProfile>;
  prices?: Prices | undefined;
  /** For every run; a schedule may set less. */
  turnsMax?: number;
  costMax?: number | undefined;
  guard?: Guard | undefined;
  /** Hidden in reasons. */
  secrets?: readonly string[] | undefined;
  /** Immediate retries of a turn when the server is busy. */
  retriesMax?: number;
  load?: () => Promise<Ai>;
}

/** How long an aborted run may take to end. */
const graceMs = 1_000;

/** Runs a model with tools, within a budget. Every run begins from nothing. */
export function agentRunner(options: AgentOptions): Runner {
  const { clock, prices } = options;
  return {
    name: "agent",
    async run(job, context) {
      const goal = goalIn(job.input);
      if (goal === undefined)
        return finalFailure(`the input has no goal: write it as {"agent": "goal"}`);
      const limits = limitsOf(options, job);
      if (limits.costMax !== undefined && prices === undefined) {
        return finalFailure(
          "its cost is limited, but no prices are set: set them, or remove the limit",
        );
      }
      const { timeoutMs } = job;
      const spent = budget(limits, prices);
      const { signal } = context;
      const ended = await withDeadline({ clock, timeoutMs, graceMs, signal }, async (signal) => {
        const ran = await work(options, { job, goal, spent }, { ...context, signal });
        return signal.aborted ? undefined : ran;
      });
      const ran = "done" in ended ? ended.done : undefined;
      const why = signal.aborted ? stopReason(signal) : "time is up";
      return withSpent(ran ?? { result: "failed", reason: why }, spent.usage());
    },
  };
}

function goalIn(input: Json): string | undefined {
  const { agent } = (input ?? {}) as { agent?: unknown };
  return typeof agent === "string" && agent.trim() !== "" ? agent : undefined;
}

/** The smaller of the installation's and the schedule's limits. */
function limitsOf({ turnsMax = 20, costMax }: AgentOptions, { slot }: Job): AgentLimits {
  const costs = [costMax, slot?.costMax].filter((cost) => cost !== undefined);
  return {
    turnsMax: Math.min(turnsMax, slot?.turnsMax ?? turnsMax),
    costMax: costs.length === 0 ? undefined : Math.min(...costs),
  };
}

/** Never rejects: an error of the model ends the run. */
async function work(
  options: AgentOptions,
  { job, goal, spent }: { job: Job; goal: string; spent: Budget },
  context: RunContext,
): Promise<Ran> {
  const { clock, guard, model, secrets = [], retriesMax = 2 } = options;
  const { signal } = context;
  try {
    const checked = guard === undefined ? "" : await checkFirst(guard, { context, secrets });
    if (typeof checked !== "string") return checked;
    const ai = await loadAgents("ai", options.load ?? (() => import("ai")));
    const made = typeof model === "function" ? await (model as () => Promise<object>)() : model;
    signal.throwIfAborted();
    const end = await takeTurns({
      ai,
      // A provider's model: the package itself checks it.
      model: made as Parameters<Ai["generateText"]>[0]["model"],
      system: systemText(job, await options.profile(job.owner), clock.wall()),
      goal: goalText(goal, job, checked),
      tools: options.tools(job),
      budget: spent,
      signal,
      retriesMax,
      progress: (text) => context.progress(text),
    });
    if ("result" in end) return end;
    // In a conditional run the marker is read from the output; elsewhere it means nothing.
    const text = job.slot?.notify === "conditional" ? end.text : readMarker(end.text).text;
    if (text !== "" && !signal.aborted) context.write(text);
    return { result: "completed", ...resultLine(job, text) };
  } catch (error) {
    return turnFault(error, secrets);
  }
}

/** Adds the usage, and to a failure's reason too. */
function withSpent(ran: Ran, usage: Usage): Ran {
  if (ran.result === "completed") return { ...ran, usage };
  if (ran.result !== "failed") return ran;
  const cost = usage.cost === 0 ? "" : `, cost ${Number(usage.cost.toPrecision(3))}`;
  return { ...ran, reason: `${ran.reason} (turns ${usage.turns}${cost})`, usage };
}

/** A program that checks whether there is anything to do, before a model is paid. */
interface Guard {
  readonly command: readonly [file: string, ...args: string[]];
  readonly spawn: Spawn;
  readonly env: Readonly<Record<string, string>>;
  folder?(): string;
  readonly timeoutMs?: number | undefined;
}

const bytesMax = 64 * 1_024;

/** Its output when there is something to do; otherwise the run's end, with that output. */
async function checkFirst(
  { command: [file, ...args], spawn, env, folder, timeoutMs = 60_000 }: Guard,
  { context, secrets }: { context: RunContext; secrets: readonly string[] },
): Promise<string | Ran> {
  const cwd = folder?.();
  const run = { file, args, env, cwd, input: "", timeoutMs, bytesMax, signal: context.signal };
  const end = await spawn({ ...run, diesWithUs: true });
  if (!end.started) return failed(`the check ${quote(file)} does not start (${end.code})`);
  if (end.cut !== null) return failed(`the check ${quote(file)} was ended: ${end.cut}`);
  if (end.status === null) return failed(`the check ${quote(file)} was killed`);
  const printed = redact(end.output, secrets);
  if (end.status === 0) return printed.trim();
  if (printed !== "") context.write(printed);
  const why = `the check ${quote(file)} found nothing to do (exit ${end.status})`;
  const nothingToDo = oneLine(why, 300);
  return { result: "completed", nothingToDo, exit: end.status, usage: { turns: 0, cost: 0 } };
}

function failed(reason: string): Failed {
  return { result: "failed", reason: oneLine(reason, 300) };
}
