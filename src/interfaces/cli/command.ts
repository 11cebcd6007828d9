import type { Effect, Reader } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ErrorCode } from "../../platform/errors.ts";
import type { Passed } from "../../platform/pass-through.ts";
import type { Random } from "../../platform/random.ts";
import type { DoctorFacts, FirstFacts, StatusFacts } from "./facts.ts";
import type { Input } from "./inputs.ts";

/** What the command line may reach. */
export interface CliPorts {
  /** The answer. */
  out(text: string): void;
  /** Talk that is not the answer: progress, errors, hints. */
  err(text: string): void;
  /** Like `out`, and resolves when it was taken: what is acknowledged must have been shown. */
  show(text: string): Promise<void>;
  /** Whether answers may have colours: at a terminal, when NO_COLOR is not set. */
  readonly color: boolean;
  readonly version: string;
  /** The folder it is typed in. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** How this terminal reads. Never throws: help must work when the settings are wrong. */
  reader(): Promise<Reader>;
  /** Everything that can be typed, as plain data. */
  readonly commands: readonly CommandEntry[];
  /** Asks the daemon that runs; else opens the book, and closes it afterwards. */
  ask(operation: OperationEntry, input: GivenInput, format: AnswerFormat): Promise<Answer>;
  stdin(): AsyncIterable<Uint8Array>;
  /** What is in a file; throws the system's error when it cannot be read. */
  file(path: string): AsyncIterable<Uint8Array>;
  /** From now on Ctrl-C aborts this instead of ending the process. */
  interrupts(): AbortSignal;
  /** Runs the daemon until it is told to stop. */
  serve(flags: Flags): Promise<void>;
  /** Speaks MCP over stdin and stdout until the client has gone. */
  mcp(tools: "default" | "all"): Promise<void>;
  daemon(): Promise<Reached | undefined>;
  /** `new WebSocket(url, protocols)`. */
  connect(url: string, protocols: string[]): Socket;
  status(): Promise<StatusFacts>;
  facts(): Promise<DoctorFacts | FirstFacts>;
  /** Runs a program in this one's place, and answers what came of it, with the end of what it said. */
  pass(command: readonly string[], tailBytesMax: number): Promise<Passed>;
  /** Posts a text to an address; throws unless it was taken. */
  post(url: string, text: string): Promise<void>;
  /** Each answers its text; one that is wrong is thrown. */
  readonly config: {
    check(): Promise<string>;
    show(withOrigins: boolean): Promise<string>;
    schema(): Promise<string>;
    example(): Promise<string>;
    /** Writes the example to a file. */
    init(): Promise<string>;
    /** Writes a handler into the file, and answers what it is called there. */
    add(handler: NewHandler): Promise<{ readonly name: string; readonly file: string }>;
  };
  /** The same under the settings of this file. */
  using(file: string): CliPorts;
}

/** What is used of a WebSocket. */
export interface Socket {
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: "open", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
  addEventListener(
    type: "close",
    listener: (event: { code: number; reason: string }) => void,
  ): void;
}

/** A handler that is added to the settings. */
interface NewHandler {
  readonly type: string;
  readonly command: readonly string[];
  readonly name?: string;
  readonly channel?: string;
  readonly timeout?: string;
}

/** Settings by key, as in `{ "http.port": "80" }`. */
export type Flags = Readonly<Record<string, string>>;

/** A daemon that runs on this machine, and what it takes to ask it. */
export interface Reached {
  readonly url: string;
  readonly token: string;
  /** Where the token was read: to be named when it is not taken. */
  readonly tokenFile: string;
  readonly pid: number;
  /** The session that this terminal asks and listens in, unless told. */
  readonly session?: string;
}

/** Something that can be typed, as the parser, help and completion know it. */
export interface CommandEntry {
  /** One word, or two. */
  readonly name: string;
  /** What it does, in one line of English; `help-ko.json` has the Korean. */
  readonly summary: string;
  readonly inputs: readonly Input[];
  /** Whether its answer can be had as data. */
  readonly hasJson: boolean;
  /** Absent: it is about this machine, not about a book. */
  readonly operation?: OperationEntry;
  /** What to type, where the operation has an example of its own. */
  readonly example?: string;
}

/** What is needed to ask an operation of a daemon. */
export interface OperationEntry {
  readonly name: string;
  readonly effect: Effect;
  readonly route: {
    readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
    readonly path: string;
    readonly bodyBytesMax?: number;
  };
  readonly aliases?: Readonly<Record<string, string>>;
  /** The input that is typed as the name of a JSON file which has it. */
  readonly file?: string;
}

export type GivenInput = Readonly<Record<string, unknown>>;
/** Rendered for people in the owner's language, or as JSON. */
export type AnswerFormat = "text" | "json";

export interface Answer {
  /** What is printed. */
  readonly text: string;
  /** The data, if JSON was asked for. */
  readonly output?: unknown;
}

/** A command about this machine. */
export interface Command extends CommandEntry {
  readonly run: Run;
}

/** Runs a command and answers the exit status. */
export type Run = (typed: Typed, ports: CliPorts) => Promise<number>;

/** What was typed after a command. */
export interface Typed {
  readonly input: GivenInput;
  /** Inputs that were typed as a bare `-`. */
  readonly dashes: readonly string[];
  /** Inputs whose JSON is elsewhere, and where: `@FILE`, or `-` for what comes in. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  readonly json: boolean;
}

/** What the shell is told. */
export const exits = {
  done: 0,
  failed: 1,
  badInput: 2,
  notFound: 3,
  conflict: 4,
  refused: 5,
  unreachable: 6,
} as const;

export const exitOf: { readonly [Code in ErrorCode]: number } = {
  invalid: exits.badInput,
  too_large: exits.badInput,
  not_found: exits.notFound,
  conflict: exits.conflict,
  held: exits.conflict,
  stale: exits.conflict,
  ended: exits.conflict,
  leased: exits.conflict,
  refused: exits.refused,
  busy: exits.unreachable,
  unavailable: exits.unreachable,
  unsupported: exits.unreachable,
  closed: exits.unreachable,
  unknown: exits.failed,
  bug: exits.failed,
};
