import type { Context } from "../../../kernel/operation.ts";
import { allows } from "../../../kernel/scope.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { prefixInputPath } from "../../../platform/input-path.ts";
import { present, type Json } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import { secretBytes, secretFrom } from "../../notifications/index.ts";
import { readInput, plainJson, type TaskDefinition } from "../function.ts";
import { timeoutMsDefault as timeoutMs } from "../kind.ts";
import { type MissingWorkspace, runWorkspacesIn, localRunners } from "../ports.ts";
import type { RunSpec } from "../run-spec.ts";
import type { RunInput } from "./inputs.ts";

export interface Runnable {
  readonly run: RunSpec;
  /** Signs calls; shown when it is made, and never again. */
  readonly secret?: string;
  /** A task that no program here runs. */
  readonly unknownTask?: string | undefined;
  /** The workspace that its first run creates. */
  readonly missingWorkspace?: MissingWorkspace | undefined;
  /** The timeout of runs that set none. */
  readonly timeoutMs: number;
}

export interface RunRequest {
  readonly context: Context;
  /** What the schedule ran so far. */
  readonly before: RunSpec | undefined;
}

/** Checks that an input can run here, and that the caller may run it. */
type RunType = (input: RunInput, request: RunRequest) => Promise<Runnable> | Runnable;

export const runTypeNames = ["command", "task", "http", "agent"] as const;

/** The types of runs that can be requested, by their key in the input. Watches are made elsewhere: they only wait for pings. */
export const runTypes: Readonly<Record<(typeof runTypeNames)[number], RunType>> = {
  command({ command = [], cwd, in: workspace }, { context }) {
    // A command in a machine of its own needs no permission to run on this computer.
    const isApart = workspace !== undefined && !runWorkspacesIn(context).isLocal;
    if (!isApart) checkCommand(command, context);
    return { run: present({ command, cwd }), timeoutMs };
  },
  task: ({ task = "", input }, { context }) => taskRun(task, input, context),
  http({ http = "" }, { context, before }) {
    const { http: rule = false } = context.use(localRunners);
    if (rule === false) throw onlyFunctions(); // every daemon can call, and checks each URL
    if (rule !== true) rule(http);
    if (before !== undefined && "http" in before) {
      return { run: { http, secret: before.secret }, timeoutMs };
    }
    const secret = secretFrom(context.randomBytes(secretBytes));
    return { run: { http, secret }, secret, timeoutMs };
  },
  agent({ agent = "" }, { context }) {
    if (context.use(localRunners).agent !== true) {
      throw notSetUp("No agent is set up here", "runners.agent", context);
    }
    checkAgent(context);
    return { run: { agent: agent.trim() }, timeoutMs };
  },
};

/** The names of built-in runners, which no task may have. */
export const builtInRunners: readonly string[] = ["command", "http", "agent", "ping", "workspace"];

/** The tools of an agent read and write the book, so a caller without these scopes must not start one. */
function checkAgent({ scopes }: Context): void {
  const missing = (["read", "write"] as const).filter((scope) => !allows(scopes, scope));
  if (missing.length === 0) return;
  const sentence = `An agent reads and writes this book, and this token may not: it needs the scope "${missing.join(", ")}".`;
  throw new DaybookError("refused", sentence, { details: { scope: missing[0] } });
}

async function taskRun(name: string, input: unknown, context: Context): Promise<Runnable> {
  const definition = taskNamed(name, context);
  const plain = await taskInput(name, input, definition).catch((error: unknown) => {
    throw prefixInputPath("input", error);
  });
  return {
    run: { task: name, input: plain },
    timeoutMs: definition?.timeoutMs ?? timeoutMs,
    unknownTask: definition === undefined ? name : undefined,
  };
}

/** The task of that name, if it runs here. Another program over the same book may run it. */
export function taskNamed(name: string, context: Context): TaskDefinition | undefined {
  if (builtInRunners.includes(name)) {
    const advice = `make a schedule that has ${quote(name)} in "run".`;
    throw new DaybookError("refused", `${quote(name)} is a built-in runner, not a task: ${advice}`);
  }
  return context.use(localRunners).tasks?.find((task) => task.name === name);
}

/** The input of a task as a store returns it, checked if the task runs here. */
export async function taskInput(
  name: string,
  input: unknown = {},
  definition: TaskDefinition | undefined,
): Promise<Json> {
  const plain = plainJson(input);
  if (plain === undefined) {
    throw new DaybookError("invalid", `The input of ${quote(name)} must be plain JSON.`);
  }
  if (definition !== undefined) await readInput(definition, plain);
  return plain;
}

function checkCommand(command: readonly string[], context: Context): void {
  const [program = ""] = command;
  const { command: allowed = false, commandOwners } = context.use(localRunners);
  if (allowed === false) {
    const settings = "DAYBOOK_ALLOW_COMMANDS=1 or runners.command";
    throw notSetUp("Commands are not allowed here", settings, context);
  }
  checkCommandCaller(context, commandOwners);
  if (allowed === true || program === "" || allowed(program)) return;
  const advice =
    "put it into runners.command.allow in daybook.yaml, or set DAYBOOK_ALLOW_COMMANDS=1";
  throw new DaybookError("refused", `${quote(program)} is not allowed to run here: ${advice}.`);
}

/** A command runs as the daemon's user and can read what that user can: other books too, on the same disk. */
function checkCommandCaller(
  { owner, scopes }: Context,
  owners: readonly string[] | undefined,
): void {
  if (!allows(scopes, "run")) {
    const sentence =
      'A command runs as the daemon\'s user, and this token may not run one: it needs the scope "run".';
    throw new DaybookError("refused", sentence, { details: { scope: "run" } });
  }
  if (owners === undefined || owners.includes(owner)) return;
  const advice = "add the owner to runners.command.owners in daybook.yaml.";
  throw new DaybookError("refused", `Commands of ${quote(owner)} are not allowed here: ${advice}`);
}

/** A program that embeds the book has no file with settings. */
function notSetUp(problem: string, setting: string, context: Context): DaybookError {
  if (context.use(localRunners).tasks !== undefined) return onlyFunctions();
  return new DaybookError("refused", `${problem}: set ${setting} in daybook.yaml.`);
}

function onlyFunctions(): DaybookError {
  const advice =
    "to run a command, an agent or an HTTP call, use a daemon over the same book (daybook start)";
  return new DaybookError("refused", `Only functions run here, by their names: ${advice}.`);
}
