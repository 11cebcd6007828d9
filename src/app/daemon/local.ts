import { table } from "../../features/index.ts";
import type {
  Answer,
  AnswerFormat,
  CliPorts,
  Flags,
  GivenInput,
  OperationEntry,
} from "../../interfaces/cli/command.ts";
import { checkInput } from "../../kernel/call.ts";
import type { Operation } from "../../kernel/operation.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Language } from "../../platform/language.ts";
import { log } from "../../platform/log.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { systemRandom } from "../../platform/random.ts";
import { loadConfig, type ConfigParts, type Loaded } from "../config/load.ts";
import { localCallerIn } from "../local-caller.ts";
import type { Reported } from "./facts.ts";

interface Request {
  readonly operation: OperationEntry;
  readonly input: GivenInput;
  readonly format: AnswerFormat;
  /** The language to render in; absent: the owner's. */
  readonly language: Language | undefined;
}

/** The book, open in this process. */
export interface OpenBook {
  ask(request: Request): Promise<Answer>;
  close(): Promise<void>;
}

/** Commands that need the whole program in their own process. */
export interface Local extends Pick<CliPorts, "config" | "status"> {
  /** The findings of `daybook doctor`, by what a daemon reported of itself. */
  facts(reported: Reported | undefined): ReturnType<CliPorts["facts"]>;
  /** The settings; throws what is wrong with them. */
  loaded(): Loaded;
  /** Throws what is wrong with an input. */
  check(operation: OperationEntry, input: GivenInput): void;
  /** Runs an operation on the book itself. */
  ask(request: Request, session: string | undefined): Promise<Answer>;
  /** Opens the book itself, for many requests. */
  open(session: string | undefined): Promise<OpenBook>;
  serve(flags: Flags, write: (text: string) => Promise<void>): Promise<void>;
  mcp(tools: "default" | "all", session: string | undefined): Promise<void>;
}

export function localIn(partsOf: (flags: Flags) => ConfigParts): Local {
  let kept: Loaded | undefined;
  const loaded = (): Loaded => (kept ??= loadConfig(partsOf({})));
  const check = ({ name }: OperationEntry, input: GivenInput): void =>
    void checkInput(operationOf(name), input);
  const open = async (session: string | undefined): Promise<OpenBook> => {
    const { openBook } = await import("./book.ts");
    const { ask, close } = await openBook(loaded().config, silentPorts());
    return {
      async ask({ operation: { name }, input, format, language }) {
        const operation = operationOf(name);
        const asked = format === "json" ? undefined : language;
        const caller = { ...localCallerIn(session), language: asked, typed: true };
        const { output, reader, isLeft } = await ask({ operation, input, caller });
        if (format === "json") return { text: JSON.stringify(output), output };
        return { text: operation.render(output, { ...reader, terminal: format }), isLeft };
      },
      close,
    };
  };
  return {
    loaded,
    check,
    async ask(request, session) {
      check(request.operation, request.input); // before the book is opened, which checks again
      const book = await open(session);
      try {
        return await book.ask(request);
      } finally {
        await book.close();
      }
    },
    open,
    serve: async (flags, write) =>
      (await import("./serve.ts")).serve(() => loadConfig(partsOf(flags)), write),
    mcp: async (toolSet, session) =>
      (await import("./agent.ts")).serveAgent(loaded().config, silentPorts(), {
        toolSet,
        caller: localCallerIn(session),
      }),
    status: async () =>
      (await import("./facts.ts")).statusFacts(loadedOrProblem(loaded), silentPorts()),
    facts: async (reported) =>
      (await import("./facts.ts")).doctorFacts(loadedOrProblem(loaded), silentPorts(), reported),
    config: configPort(partsOf, loaded),
  };
}

function configPort(
  partsOf: (flags: Flags) => ConfigParts,
  loaded: () => Loaded,
): CliPorts["config"] {
  return {
    check: async () => {
      const { config } = loaded();
      if (Object.keys(config.schedules).length > 0) {
        await (await import("./check-schedules.ts")).checkSchedules(config, silentPorts());
      }
      return (await import("../config/report.ts")).checkReport(loaded());
    },
    show: async (withOrigins) =>
      (await import("../config/report.ts")).configReport(loaded(), withOrigins),
    schema: async () => {
      const { configSchema } = await import("../config/schema.ts");
      return JSON.stringify(configSchema(), null, 2);
    },
    example: async () => (await import("../config/example.ts")).exampleConfig(),
    init: async () => {
      const { writeExample } = await import("../config/load.ts");
      const { env, flags } = partsOf({});
      return writeExample(env, flags);
    },
    add: async (handler, daemonFile) =>
      (await import("../config/add-handler.ts")).addHandler(handler, partsOf({}), daemonFile),
  };
}

function operationOf(name: string): Operation {
  const operation = table.find((each) => each.name === name);
  if (operation !== undefined) return operation;
  throw new DaybookError("bug", `The manifest has ${name}, which is not an operation.`);
}

function loadedOrProblem(load: () => Loaded): Loaded | { readonly problem: string } {
  try {
    return load();
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Ports without a log: a command's own output is enough. */
function silentPorts(): PlatformPorts {
  const clock = systemClock();
  const write = (): void => undefined;
  const lines = log({ write, clock, level: "error", format: "json", color: false });
  return { clock, random: systemRandom(), log: lines };
}
