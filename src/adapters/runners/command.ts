import { resolve } from "node:path";
import {
  allowedProgram,
  type Allow,
  type Job,
  type Ran,
  type RunContext,
  type Runner,
} from "../../features/tasks/index.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { type Json, present } from "../../platform/json.ts";
import {
  transientStartErrors,
  type ProgramEnd,
  type ProgramRun,
  type Spawn,
} from "../../platform/process.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { progressLines } from "./progress-lines.ts";
import {
  finalFailure,
  stopped,
  stopReason,
  type Failed,
  lastLine,
  resultCharsMax,
} from "./result.ts";
import { taskInput, taskFile } from "./task-file.ts";

export interface ProgramOptions {
  spawn: Spawn;
  /** A command's environment, besides the secrets and the run's own variables. */
  env: Readonly<Record<string, string>>;
  /** More of it; the values are hidden in reasons. */
  secrets?: Readonly<Record<string, string>>;
  /** The limit of a command's output. */
  outputBytesMax?: number;
  /** The limit of each process's data. Needs `prlimit`, so Linux. */
  memoryBytesMax?: number;
  /** It runs on another machine, without our files. */
  isElsewhere?: boolean;
}

interface CommandOptions extends ProgramOptions {
  allow: Allow;
  /** The owners whose commands run; every owner's by default. */
  owners?: readonly string[];
  /** The default folder of commands, where their relative paths start. */
  folder(): string;
}

/** Runs a program with its arguments, without a shell. Made only where commands are allowed. */
export function commandRunner(options: CommandOptions): Runner {
  return {
    name: "command",
    async run(job, context) {
      const command = readCommand(job.input);
      if (typeof command === "string") return finalFailure(command);
      const { argv, cwd = "." } = command;
      const [file, ...args] = argv;
      const folder = options.folder();
      const program = allowedProgram(file, options.allow, folder);
      if (program === undefined) {
        const toDo = "an administrator may list it in DAYBOOK_ALLOW_COMMANDS";
        return finalFailure(`the command ${quote(file)} is not allowed: ${toDo}`);
      }
      if (!mayRunCommands(job, options.owners)) return finalFailure(ownerRefusal(job));
      const place = { argv: [program, ...args] as const, cwd: resolve(folder, cwd) };
      return await runProgram(options, job, context, place);
    },
  };
}

/** A handler's command is the settings' own, whoever's event it handles. */
export function mayRunCommands(
  { owner, event }: Pick<Job, "owner" | "event">,
  owners?: readonly string[],
): boolean {
  return event !== undefined || owners === undefined || owners.includes(owner);
}

export function ownerRefusal({ owner }: Pick<Job, "owner">): string {
  const toDo = "an administrator may list the owner in runners.command.owners";
  return `commands of ${quote(owner)} are not allowed: ${toDo}`;
}

type Argv = readonly [file: string, ...args: string[]];

/** Without a `cwd` it runs in the default folder of `spawn`. */
type Program = { readonly argv: Argv } & Pick<ProgramRun, "cwd">;

/** Runs a program to its end, on the machine of `spawn`. */
export async function runProgram(
  options: ProgramOptions,
  job: Job,
  context: RunContext,
  program: Program,
): Promise<Ran> {
  const { secrets = {}, outputBytesMax = 16 * 1_024 * 1_024, memoryBytesMax } = options;
  const [file, ...args] = limited(program.argv, memoryBytesMax);
  const errors = lastLine();
  const output = lastLine(resultCharsMax);
  const lines = progressLines(context.progress, (text) => {
    context.write(text, "output");
    if (job.event !== undefined) output.add(text);
  });
  const task = options.isElsewhere === true ? taskInput(job) : await taskFile(job);
  const end = await task.during(() =>
    options.spawn({
      file,
      args,
      cwd: program.cwd,
      env: { ...options.env, ...secrets, ...runVariables(job), ...task.env },
      input: task.input,
      bytesMax: outputBytesMax,
      signal: context.signal,
      diesWithUs: true,
      onOutput(text, stream) {
        if (stream === "output") return lines.add(text);
        context.write(text, stream);
        errors.add(text);
      },
    }),
  );
  lines.end();
  const isLimited = memoryBytesMax !== undefined;
  if (!end.started) return notStarted(end.code, program, { signal: context.signal, isLimited });
  const missing = isLimited ? notFound(end.status, errors.line(), program) : undefined;
  if (missing !== undefined) return notStarted(missing, program, { signal: context.signal });
  const last = oneLine(redact(errors.line(), Object.values(secrets)), 300);
  const ran = ranOf(end, { last, signal: context.signal, outputBytesMax });
  if (job.event === undefined) return ran;
  return { ...ran, lastLine: redact(output.block(), Object.values(secrets)) };
}

/** Limits data, not address space: some runtimes reserve far more of that than they use. */
function limited(argv: Argv, bytesMax: number | undefined): Argv {
  return bytesMax === undefined ? argv : ["prlimit", `--data=${bytesMax}`, "--", ...argv];
}

function runVariables({ id, slot }: Job): Record<string, string> {
  return present({
    DAYBOOK_RUN_ID: id,
    DAYBOOK_SCHEDULE: slot?.schedule,
    DAYBOOK_SLOT: slot && isoOf(slot.at),
  });
}

type Ended = Ran & { result: "completed" | "failed" };

/** `last`: its last line of errors. */
function ranOf(
  end: ProgramEnd & { started: true },
  { last, signal, outputBytesMax }: { last: string; signal: AbortSignal; outputBytesMax: number },
): Ended {
  const exit = end.status ?? undefined;
  const failed = (why: string): Failed =>
    present({ result: "failed", reason: last === "" ? why : `${why}: ${last}`, exit });
  if (end.cut === "told to stop") return failed(stopReason(signal));
  if (end.cut === "said too much") return failed(`ended: it printed over ${outputBytesMax} bytes`);
  if (end.status === 0) return { result: "completed", exit: 0 };
  return failed(end.status === null ? "killed from outside" : `exit ${end.status}`);
}

/** The code when prlimit cannot execute the program. */
function notFound(status: number | null, line: string, { argv }: Program): string | undefined {
  if (!line.startsWith("prlimit: ") || !line.includes(argv[0])) return undefined;
  if (status === 127) return "ENOENT";
  return status === 126 ? "EACCES" : undefined;
}

function notStarted(
  code: string,
  { argv, cwd }: Program,
  { signal, isLimited = false }: { signal: AbortSignal; isLimited?: boolean },
): Ran {
  if (code === "ABORTED") return stopped(signal);
  const reason = `${quote(argv[0])} does not start (${code})`;
  if (transientStartErrors.includes(code)) return { result: "failed", reason };
  const folder = cwd === undefined ? [] : [`that ${quote(cwd)} is a folder`];
  // With a limit, prlimit itself did not start: it or the folder is missing.
  const toDo = isLimited
    ? [...folder, "that prlimit is installed, which limits its memory"]
    : ["that it exists and is executable", ...folder];
  return finalFailure(`${reason}: check ${toDo.join(", and ")}`);
}

const shape = `{"command": ["program", "argument"], "cwd": "folder"}`;

/** The command in a task's input, or why it cannot be read. */
export function readCommand(input: Json): Program | string {
  const { command, cwd } = (input ?? {}) as { command?: unknown; cwd?: unknown };
  if (!isTexts(command)) return `the input has no command: write it as ${shape}`;
  const [file, ...args] = command;
  if (file === undefined || file === "") return `the command has no program: write it as ${shape}`;
  if (cwd === undefined || cwd === null) return { argv: [file, ...args] };
  if (typeof cwd !== "string" || cwd.includes("\0"))
    return `cwd is not a folder: write it as ${shape}`;
  return { argv: [file, ...args], cwd };
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((each) => typeof each === "string" && !each.includes("\0"))
  );
}
