import type * as z from "zod";
import type { Language } from "../platform/language.ts";
import type { Ledger } from "./ledger.ts";
import type { Ports } from "./port.ts";
import type { Profile } from "./profile.ts";
import type { Scope } from "./scope.ts";

/**
 * One request that callers can make. The command line, the HTTP API, the agent tools and the library all derive
 * from these definitions and offer nothing else.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  readonly input: Input;
  readonly output: z.ZodType<Output>;
  /** Other names of its inputs: those of the seeds' own tools. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Inputs of the seeds' tools that are accepted and ignored, because their content is known already. */
  readonly ignored?: readonly string[];
  /** Converts an input of another shape: one name of the seeds' tools may stand for several of ours. */
  adapt?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  readonly scope: Scope;
  /** What it may change in the book; agents and proxies read it. */
  readonly effect: Effect;
  readonly route: {
    readonly method: Method;
    readonly path: `/v1/${string}`;
    /** A second path of the same operation. */
    readonly also?: `/v1/${string}`;
    /** How large a body may be, where it holds much at once. */
    readonly bodyBytesMax?: number;
  };
  /** How it is typed: the command (one word or two), and which inputs stand without a flag. */
  readonly command: {
    readonly name: string;
    readonly positionals: readonly string[];
    /** The input that is every word after `--`. */
    readonly rest?: string;
    /** The input that is typed as the name of a JSON file which has it. */
    readonly file?: string;
  };
  /** Whether agents see it by default: they use a short list better than a long one. */
  readonly tool: "always" | "on request" | "never";
  run(input: z.output<Input>, context: Context): Promise<Output>;
  /** The answer for people. */
  render(output: Output, reader: Reader): string;
}

export type Effect = "none" | "adds" | "changes" | "ends";
type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** The caller of an operation. */
export interface Caller {
  /** Whose book. */
  readonly owner: string;
  /** Who acts. */
  readonly by: string;
  readonly scopes: readonly Scope[];
  /** The chat or session of the request; null when it cannot receive an answer. */
  readonly origin: string | null;
  /** The message in the origin's chat whose button was pressed; it is edited to show the result. */
  readonly pressed?: string | number;
  /** The id of the caller's token; absent on the local machine, where none is needed. */
  readonly token?: string;
}

/** The language, zone and time that an answer is rendered with. */
export interface Reader {
  readonly language: Language;
  readonly zone: string;
  readonly now: number;
}

/** What operations run on, for every caller and interface. */
export interface Installation extends Ports {
  readonly ledger: Ledger;
  /** An owner's own settings over the installation's; read in another ledger inside a caller's transaction. */
  readProfile(owner: string, ledger?: Ledger): Promise<Profile>;
  /** The base URL of this installation over HTTP, if it has one; a path alone inside another server. */
  readonly baseUrl?: string;
  now(): number;
  randomBytes(count: number): Uint8Array;
}

/** What an operation may use. */
export interface Context extends Caller, Installation {
  /** The owner's own settings over the installation's. */
  readonly profile: Profile;
}

/** Keeps the types of one operation while it is written down. */
export function operation<Input extends z.ZodObject, Output>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}
