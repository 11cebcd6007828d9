import { DaybookError, hasCode } from "../../platform/errors.ts";
import { harmless } from "../../platform/text.ts";
import {
  exits,
  type CliPorts,
  type Command,
  type CommandEntry,
  type GivenInput,
  type OperationEntry,
  type Run,
} from "./command.ts";
import { operationIn } from "./find.ts";
import { operationRun } from "./operation-command.ts";

/** How a command is run. */
export async function runOf(entry: CommandEntry, commands: CliPorts["commands"]): Promise<Run> {
  const { operation } = entry;
  if (operation === undefined) return ownRun(entry.name);
  const run = operationRun(entry, operation);
  const fallback = fallbacks[operation.name];
  const other = commands.find((each) => each.operation?.name === fallback?.operation);
  if (fallback !== undefined && other?.operation !== undefined) {
    return withFallback(run, operationRun(other, other.operation), fallback);
  }
  if (entry.name === "cancel --all") {
    return (await import("./cancel-all.ts")).cancelAllRun(operation);
  }
  if (entry.name === "export") return (await import("./export-book.ts")).exportRun(operation);
  if (entry.name === "import") {
    const notifications = operationIn(commands, "import_notifications");
    return (await import("./import-file.ts")).importRun({ book: operation, notifications });
  }
  if (entry.name === "calendar connect") {
    return (await import("./connect-calendar.ts")).connectRun(entry, operation);
  }
  return entry.name === "run output" ? wholeOutput(run, operation) : run;
}

/** Commands about this machine, in the order of completion. Each loads its own file when it is run. */
const own: Readonly<Record<string, () => Promise<Command>>> = {
  attach: async () => (await import("./attach.ts")).attach,
  on: async () => (await import("./on.ts")).on,
  wrap: async () => (await import("./wrap.ts")).wrap,
  start: async () => (await import("./serve.ts")).start,
  status: async () => (await import("./status.ts")).status,
  doctor: async () => (await import("./doctor.ts")).doctor,
  "config check": async () => (await import("./config-commands.ts")).check,
  "config show": async () => (await import("./config-commands.ts")).show,
  "config schema": async () => (await import("./config-commands.ts")).schema,
  "config init": async () => (await import("./config-commands.ts")).init,
  mcp: async () => (await import("./serve.ts")).mcp,
  completion: async () => (await import("./completion.ts")).completion,
};

export async function ownCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(own).map((load) => load()));
}

/** Operations check their own input; the inputs of these commands are checked here, in the same words. */
async function ownRun(name: string): Promise<Run> {
  const load = own[name];
  if (load === undefined) throw new DaybookError("bug", `Nothing here runs the command ${name}.`);
  const { inputs, run } = await load();
  return async (typed, ports) => {
    const problems = inputs.flatMap(({ name, summary, values, isRequired }) => {
      const given = typed.input[name];
      if (given === undefined)
        return isRequired ? [`"${name}" is missing: ${summary.replace(/\.$/, "")}`] : [];
      if (values.length === 0 || (typeof given === "string" && values.includes(given))) return [];
      const quoted = `"${name}"`;
      return [`${quoted} must be one of ${values.join(", ")}`];
    });
    if (problems.length === 0) return run(typed, ports);
    throw new DaybookError("invalid", `${problems.join("; ")}.`, { details: { problems } });
  };
}

/** The operation that is asked when the first finds nothing under an id: people need not know of which kind it is. */
interface Fallback {
  readonly operation: string;
  /** Whether the other operation takes what was typed. */
  takes(input: GivenInput): boolean;
  /** Whose error is shown when the other finds nothing either. */
  readonly shows: "first" | "other";
}

const ofNag = {
  takes: (input: GivenInput) => Object.keys(input).join() === "id",
  shows: "first",
} as const;
const fallbacks: Readonly<Record<string, Fallback>> = {
  schedule_pause: { operation: "pause_nag", ...ofNag },
  schedule_resume: { operation: "resume_nag", ...ofNag },
  answer_run: {
    operation: "answer_question",
    takes: (input) => !("revision" in input),
    shows: "other",
  },
};

function withFallback(run: Run, runOther: Run, { takes, shows }: Fallback): Run {
  return async (typed, ports) => {
    try {
      return await run(typed, ports);
    } catch (error) {
      if (!takes(typed.input) || !hasCode(error, "not_found")) throw error;
      return runOther(typed, ports).catch((other: unknown) => {
        throw shows === "first" && hasCode(other, "not_found") ? error : other;
      });
    }
  };
}

interface OutputPart {
  readonly chunk: string;
  readonly remaining: number;
  readonly next_offset: number | null;
}

/** The most that one answer may have. */
const charsMax = 8_000;

/** Shows a run's output whole, part after part, unless a part was asked for. */
function wholeOutput(run: Run, operation: OperationEntry): Run {
  return async (typed, ports) => {
    const { input, json } = typed;
    const isPart = input["offset"] !== undefined || input["max_chars"] !== undefined;
    if (isPart || Object.keys(input).length === 0) return run(typed, ports);
    const { last, chunk } = await readWhole(operation, input, ports);
    if (json) ports.out(JSON.stringify({ ...last, offset: 0, max_chars: chunk.length, chunk }));
    else if (chunk === "") return run(typed, ports);
    else ports.out(harmless(chunk).replace(/\n$/, ""));
    return exits.done;
  };
}

async function readWhole(
  operation: OperationEntry,
  input: GivenInput,
  ports: CliPorts,
): Promise<{ last: OutputPart; chunk: string }> {
  const chunks: string[] = [];
  for (let offset = 0; ;) {
    const part = { ...input, offset, max_chars: charsMax };
    const { output } = await ports.ask(operation, part, "json");
    const last = output as OutputPart; // the operation's own answer
    chunks.push(last.chunk);
    if (last.next_offset === null) return { last, chunk: chunks.join("") };
    offset = last.next_offset;
  }
}
