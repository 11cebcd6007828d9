import type { Context } from "../../../kernel/operation.ts";
import { allows } from "../../../kernel/scope.ts";
import { prefixPath } from "../../../platform/at-path.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { secretBytes, secretFrom } from "../../notifications/index.ts";
import { readInput, plainJson, type TaskDefinition } from "../function.ts";
import { timeoutMsDefault as timeoutMs } from "../kind.ts";
import { runWorkspacesIn, localRunners } from "../ports.ts";
import type { RunSpec } from "../run-spec.ts";
import type { RunInput } from "./inputs.ts";

export interface Runnable {
  readonly run: RunSpec;
  /** Signs calls; shown when it is made, and never again. */
  readonly secret?: string;
  /** A task that nobody here runs. */
  readonly unknownTask?: string;
  /** What its runs are given when nothing is said. */
  readonly timeoutMs: number;
}

/** Who asks for a run, and what the schedule ran so far. */
export interface RunRequest {
  readonly context: Context;
  readonly before: RunSpec | undefined;
}

/** One way to run something. Its name is the key of the input and of the spec that say it. */
interface RunType {
  /** What is to be run; throws when that cannot be run here, or this caller may not. */
  runnable(input: RunInput, request: RunRequest): Promise<Runnable>;
}

export const runTypeNames = ["command", "task", "http", "agent"] as const;

/** The ways to run something that can be asked for. A watch is made apart: somebody else runs, and pings. */
export const runTypes: Readonly<Record<(typeof runTypeNames)[number], RunType>> = {
  command: {
    async runnable({ command = [], cwd, in: workspace }, { context }) {
      // What runs in a machine apart needs no leave to run here.
      const isApart = workspace !== undefined && !runWorkspacesIn(context).isLocal;
      if (!isApart) checkCommand(command, context);
      return { run: { command, ...(cwd === undefined ? {} : { cwd }) }, timeoutMs };
    },
  },
  task: {
    runnable: ({ task = "", input }, { context }) => taskRun(task, input, context),
  },
  http: {
    async runnable({ http = "" }, { context, before }) {
      const { http: may = false } = context.use(localRunners);
      if (may === false) throw onlyFunctions(); // every daemon calls, and asks whether it may call this one
      if (may !== true) may(http);
      if (before !== undefined && "http" in before) {
        return { run: { http, secret: before.secret }, timeoutMs };
      }
      const secret = secretFrom(context.randomBytes(secretBytes));
      return { run: { http, secret }, secret, timeoutMs };
    },
  },
  agent: {
    async runnable({ agent = "" }, { context }) {
      if (context.use(localRunners).agent !== true) {
        throw notSetUp("No agent is set up here", "runners.agent", context);
      }
      checkAgent(context);
      return { run: { agent: agent.trim() }, timeoutMs };
    },
  },
};

/** Names that a runner of ours has: what they run is checked, and is no task. */
export const ours: readonly string[] = ["command", "http", "agent", "ping", "workspace"];

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
    throw prefixPath("input", error);
  });
  return {
    run: { task: name, input: plain },
    timeoutMs: definition?.timeoutMs ?? timeoutMs,
    ...(definition === undefined ? { unknownTask: name } : {}),
  };
}

/** The task of that name, if it is run here: another program over the same book may run it. */
export function taskNamed(name: string, context: Context): TaskDefinition | undefined {
  if (ours.includes(name)) {
    const advice = `make a schedule that has ${quote(name)} in "run".`;
    throw new DaybookError("refused", `${quote(name)} is no task of yours: ${advice}`);
  }
  return context.use(localRunners).tasks?.find((task) => task.name === name);
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

function checkCommand(command: readonly string[], context: Context): void {
  const [program = ""] = command;
  const { command: allowed = false } = context.use(localRunners);
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
function notSetUp(what: string, setting: string, context: Context): DaybookError {
  if (context.use(localRunners).tasks !== undefined) return onlyFunctions();
  return new DaybookError("refused", `${what}: set ${setting} in daybook.yaml.`);
}

function onlyFunctions(): DaybookError {
  const advice =
    "ask a daemon over the same book (daybook start) for what runs a command, an agent or a call over HTTP";
  return new DaybookError("refused", `Only functions run here, by their names: ${advice}.`);
}
