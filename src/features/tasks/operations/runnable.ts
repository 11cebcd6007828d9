import type { Context } from "../../../kernel/operation.ts";
import { atPath, under } from "../../../platform/at-path.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { readLength } from "../../../time/cadence/length.ts";
import { allows } from "../../accounts/token.ts";
import { secretBytes, secretFrom } from "../../notifications/webhook.ts";
import { plainJson } from "../function-draft.ts";
import { readInput, type TaskDefinition } from "../function.ts";
import { timeoutMsDefault as timeoutMs } from "../kind.ts";
import type { RunSpec } from "../run-spec.ts";
import type { RunInput } from "./inputs.ts";
import { runWorkspaces } from "./ports.ts";

export interface Runnable {
  readonly run: RunSpec;
  /** Signs calls; shown when it is made, and never again. */
  readonly secret?: string;
  /** A task that nobody here runs. */
  readonly unknownTask?: string;
  /** What its runs are given when nothing is said. */
  readonly timeoutMs: number;
}

/** Names that a runner of ours has: what they run is checked, and is no task. */
const ours: readonly string[] = ["command", "http", "agent", "ping", "workspace"];

/** What is to be run, if it can be run here. `before`: what the schedule ran so far. */
export async function runnable(
  asked: RunInput,
  context: Context,
  before?: RunSpec,
): Promise<Runnable> {
  if (asked.in !== undefined) await runWorkspaces(context).checkRunIn(asked.in, context);
  const place = asked.in === undefined ? {} : { in: asked.in };
  if (before !== undefined && !("ping" in before) && Object.keys(asked).join() === "in") {
    return { run: { ...before, ...place }, timeoutMs };
  }
  const ran = await runnableHere(asked, context, before).catch((error: unknown) => {
    throw under("run", error);
  });
  return "ping" in ran.run ? ran : { ...ran, run: { ...ran.run, ...place } };
}

async function runnableHere(
  asked: RunInput,
  context: Context,
  before: RunSpec | undefined,
): Promise<Runnable> {
  checkOne(asked);
  const { command, cwd, task, input, http, agent } = asked;
  const { runners = {} } = context;
  if (command !== undefined) {
    // What runs in a machine apart needs no leave to run here.
    const isApart = asked.in !== undefined && !runWorkspaces(context).isLocal;
    if (!isApart) checkCommand(command, context);
    return { run: { command, ...(cwd === undefined ? {} : { cwd }) }, timeoutMs };
  }
  if (http !== undefined) {
    const { http: may = false } = runners;
    if (may === false) throw onlyFunctions(); // every daemon calls, and asks whether it may call this one
    if (may !== true) may(http);
    if (before !== undefined && "http" in before) {
      return { run: { http, secret: before.secret }, timeoutMs };
    }
    const secret = secretFrom(context.randomBytes(secretBytes));
    return { run: { http, secret }, secret, timeoutMs };
  }
  if (agent !== undefined) {
    if (runners.agent !== true) throw notSetUp("No agent is set up here", "runners.agent", context);
    checkAgent(context);
    return { run: { agent: agent.trim() }, timeoutMs };
  }
  return taskRun(task ?? "", input, context);
}

/** What it is offered reads and writes the book: nobody may ask by it for what they may not ask themself. */
function checkAgent({ scopes }: Context): void {
  const missing = (["read", "write"] as const).filter((scope) => !allows(scopes, scope));
  if (missing.length === 0) return;
  const sentence = `An agent may read and write in this book, and this token may not: it needs the scope "${missing.join(", ")}".`;
  throw new DaybookError("refused", sentence, { details: { scope: missing[0] } });
}

async function taskRun(name: string, input: unknown, context: Context): Promise<Runnable> {
  const definition = taskNamed(name, context);
  const plain = await taskInput(name, input, definition).catch((error: unknown) => {
    throw under("input", error);
  });
  return {
    run: { task: name, input: plain },
    timeoutMs: definition?.timeoutMs ?? timeoutMs,
    ...(definition === undefined ? { unknownTask: name } : {}),
  };
}

/** The task of that name, if it is run here: another program over the same book may run it. */
export function taskNamed(name: string, { runners = {} }: Context): TaskDefinition | undefined {
  if (ours.includes(name)) {
    const advice = `make a schedule that has ${quote(name)} in "run".`;
    throw new DaybookError("refused", `${quote(name)} is no task of yours: ${advice}`);
  }
  return runners.tasks?.find((task) => task.name === name);
}

/** Whether anybody here runs what has that name: another program over the same book may. */
export function isRunHere(name: string, { runners = {}, when }: Context): boolean {
  if (name === "command" || name === "http" || name === "agent") {
    return (runners[name] ?? false) !== false;
  }
  if (when?.handlers.some((handler) => handler.name === name) === true) return true; // workers come
  return ours.includes(name) || runners.tasks?.some((task) => task.name === name) === true;
}

/** What a task gets, as it will be read back; checked where the task is known. */
export async function taskInput(
  name: string,
  input: unknown = {},
  definition: TaskDefinition | undefined,
): Promise<NonNullable<ReturnType<typeof plainJson>> | null> {
  const plain = plainJson(input);
  if (plain === undefined) {
    throw new DaybookError("invalid", `The input of ${quote(name)} must be plain JSON.`);
  }
  if (definition !== undefined) await readInput(definition, plain);
  return plain;
}

/** How long a run may take: "10m", or seconds. */
export function timeoutOf(asked: string | number | undefined, otherwise: number): number {
  return asked === undefined ? otherwise : atPath("timeout", () => readLength(asked));
}

function checkOne({ command, cwd, task, input, http, agent }: RunInput): void {
  const said = [command, task, http, agent].filter((each) => each !== undefined);
  const which = "a command, a task, an http URL or an agent's goal";
  if (said.length > 1) throw invalid(`It can run one thing: ${which}. Make a schedule for each.`);
  if (cwd !== undefined && command === undefined) {
    throw invalid(
      `"cwd" is the folder of a command: ${said.length === 0 ? "give the command with it" : "leave it out"}.`,
      "cwd",
    );
  }
  if (input !== undefined && task === undefined) {
    throw invalid(
      `"input" is what a task gets: ${said.length === 0 ? "give the task with it" : "leave it out"}.`,
      "input",
    );
  }
  if (said.length === 0) throw invalid(`Say what runs: ${which}.`);
}

function checkCommand(command: readonly string[], context: Context): void {
  const [program = ""] = command;
  const { command: allowed = false } = context.runners ?? {};
  if (allowed === false) {
    const settings = "DAYBOOK_ALLOW_COMMANDS=1 or runners.command";
    throw notSetUp("Commands are not allowed here", settings, context);
  }
  if (allowed === true || program === "" || allowed(program)) return;
  const advice =
    "put it into runners.command.allow in daybook.yaml, or set DAYBOOK_ALLOW_COMMANDS=1";
  throw new DaybookError("refused", `${quote(program)} is not allowed to run here: ${advice}.`);
}

/** A program that a book is part of has no file to set anything in. */
function notSetUp(what: string, setting: string, { runners }: Context): DaybookError {
  if (runners?.tasks !== undefined) return onlyFunctions();
  return new DaybookError("refused", `${what}: set ${setting} in daybook.yaml.`);
}

function onlyFunctions(): DaybookError {
  const advice =
    "ask a daemon over the same book (daybook start) for what runs a command, an agent or a call over HTTP";
  return new DaybookError("refused", `Only functions run here, by their names: ${advice}.`);
}

function invalid(sentence: string, path?: string): DaybookError {
  return new DaybookError("invalid", sentence, path === undefined ? {} : { details: { path } });
}
