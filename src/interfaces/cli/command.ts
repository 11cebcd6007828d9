import type { Effect, Reader } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ErrorCode } from "../../platform/errors.ts";
import type { ForegroundEnd } from "../../platform/foreground-program.ts";
import type { Language } from "../../platform/language.ts";
import type { Random } from "../../platform/random.ts";
import type { Translate } from "../../platform/sentences.ts";
import type { Terminal } from "../../platform/table.ts";
import type { DoctorFacts, FirstFacts, StatusFacts } from "./facts.ts";
import type { Input } from "./inputs.ts";

/** The ports of the command line. */
export interface CliPorts {
  /** Prints the answer. */
  out(text: string): void;
  /** Prints what is not the answer: progress, errors, hints. */
  err(text: string): void;
  /** Like `out`, and resolves when the text was written: a message is acknowledged only after that. */
  show(text: string): Promise<void>;
  /** Whether answers may have colours: at a terminal, when NO_COLOR is not set. */
  readonly color: boolean;
  /** The width of the terminal; null: answers go to a file or another program, which gets them whole. */
  readonly columns: number | null;
  readonly version: string;
  /** The working directory. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Language, zone and time for rendering. Never throws: help must work when the settings are wrong. */
  reader(): Promise<Reader>;
  /** Translates the sentences of errors, which are English. */
  errorsIn(language: Language): Promise<Translate>;
  /** Every command, as plain data. */
  readonly commands: readonly CommandEntry[];
  /** Asks the running daemon; without one it opens the book and closes it afterwards. */
  ask(operation: OperationEntry, input: GivenInput, format: AnswerFormat): Promise<Answer>;
  /** The same for many requests: without a daemon the book stays open until the last one. */
  asking<Result>(use: (ask: CliPorts["ask"]) => Promise<Result>): Promise<Result>;
  /** Shows how far a long command is, in one line of a terminal that is replaced by the next; elsewhere nothing. */
  progress(text: string): void;
  /** Asks the person at the terminal, who says no unless they type y; undefined: nobody is there. */
  confirm(question: string): Promise<boolean | undefined>;
  stdin(): AsyncIterable<Uint8Array>;
  /** Reads a file; throws the system's error when it cannot be read. */
  file(path: string): AsyncIterable<Uint8Array>;
  /** From now on Ctrl-C aborts this signal instead of ending the process. */
  interrupts(): AbortSignal;
  /** Runs the daemon until it is stopped. */
  serve(flags: Flags): Promise<void>;
  /** Serves MCP over stdin and stdout until the client disconnects. */
  mcp(tools: "default" | "all"): Promise<void>;
  daemon(): Promise<LocalDaemon | undefined>;
  /** `new WebSocket(url, protocols)`. */
  connect(url: string, protocols: string[]): Socket;
  status(): Promise<StatusFacts>;
  facts(): Promise<DoctorFacts | FirstFacts>;
  /** Runs a program with this terminal, and returns its exit status and the end of its output. */
  runProgram(command: readonly string[], tailBytesMax: number): Promise<ForegroundEnd>;
  /** Listens on this machine until a person's browser comes back from another site. */
  listenForBrowser(): Promise<BrowserListener>;
  /** Shows a page in the person's browser, where there is one. */
  openBrowser(url: string): void;
  /** Posts a text to a URL; throws unless the answer is a success. */
  post(url: string, text: string): Promise<void>;
  /** Each returns its text; wrong settings throw. */
  readonly config: {
    check(): Promise<string>;
    show(withOrigins: boolean): Promise<string>;
    schema(): Promise<string>;
    example(): Promise<string>;
    /** Writes the example to a file. */
    init(): Promise<string>;
    /** Writes a handler into the file of the daemon, or of this terminal, and returns its name there. */
    add(
      handler: NewHandler,
      daemonFile?: string,
    ): Promise<{ readonly name: string; readonly file: string }>;
  };
  /** The same ports under the settings of this file. */
  withConfig(file: string): CliPorts;
}

interface BrowserListener {
  /** Where the browser is sent. */
  readonly url: string;
  /** The browser that comes back with this state. */
  arrival(state: string): Promise<{
    /** The whole address that it came to. */
    readonly address: string;
    readonly language: Language;
    /** Shows a page. */
    answer(page: Response): Promise<void>;
  }>;
  close(): Promise<void>;
}

/** The part of a WebSocket that is used. */
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

/** A handler to add to the settings. */
interface NewHandler {
  readonly type: string;
  readonly command: readonly string[];
  readonly name: string | undefined;
  readonly channel: string | undefined;
  readonly timeout: string | undefined;
}

/** Settings by key, as in `{ "http.port": "80" }`. */
export type Flags = Readonly<Record<string, string>>;

/** A daemon that runs on this machine, and the credentials to ask it. */
export interface LocalDaemon {
  readonly url: string;
  readonly token: string;
  /** The file the token was read from: named in the error when it is refused. */
  readonly tokenFile: string;
  readonly pid: number;
  /** The file of its settings, or where it would find one; undefined: it is not known. */
  readonly settingsFile?: string | undefined;
  /** The session that this terminal asks and listens in by default. */
  readonly session?: string | undefined;
}

/** A command as the parser, help and completion know it. */
export interface CommandEntry {
  /** One word, or two. */
  readonly name: string;
  /** Other spellings, which help does not list. */
  readonly aliases?: readonly string[];
  /** What it does, in one line of English; `help-ko.json` has the Korean. */
  readonly summary: string;
  readonly inputs: readonly Input[];
  /** Whether it takes `--json`. */
  readonly hasJson: boolean;
  /** Absent for a command about this machine. */
  readonly operation?: OperationEntry;
  /** The example of the operation, as it is typed. */
  readonly example?: string;
}

/** All that is needed to ask an operation of a daemon. */
export interface OperationEntry {
  readonly name: string;
  readonly effect: Effect;
  readonly route: {
    readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
    readonly path: string;
    readonly bodyBytesMax?: number;
  };
  readonly aliases?: Readonly<Record<string, string>>;
  /** The input that is typed as the name of a JSON file with its value. */
  readonly file?: string;
}

export type GivenInput = Readonly<Record<string, unknown>>;
/** Rendered for people in the owner's language and for this terminal, or as JSON. */
export type AnswerFormat = Terminal | "json";

export interface Answer {
  /** The printed text. */
  readonly text: string;
  /** The data, if JSON was asked for. */
  readonly output?: unknown;
  /** What was written waits, because no daemon runs. */
  readonly isLeft?: boolean;
}

/** A command about this machine. */
export interface Command extends CommandEntry {
  readonly run: Run;
}

/** Runs a command and returns the exit status. */
export type Run = (typed: Typed, ports: CliPorts) => Promise<number>;

/** The parsed words after a command. */
export interface Typed {
  readonly input: GivenInput;
  /** Inputs that were typed as a bare `-`. */
  readonly dashes: readonly string[];
  /** Inputs whose JSON is read from `@FILE`, or from standard input for `-`. */
  readonly jsonFrom?: Readonly<Record<string, string>>;
  readonly json: boolean;
}

/** Exit statuses. */
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
