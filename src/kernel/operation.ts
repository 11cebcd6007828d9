import type * as z from "zod";
import type { Language } from "../platform/language.ts";
import type { Ledger } from "./ledger.ts";
import type { Ports } from "./port.ts";
import type { Profile } from "./profile.ts";
import type { Scope } from "./scope.ts";

/**
 * One thing that can be asked. Every face derives from it: what the command line, the HTTP API, the
 * agent tools and the library offer is this table and nothing else.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  readonly input: Input;
  readonly output: z.ZodType<Output>;
  /** Other names of its inputs: those of the seeds' own tools. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Inputs of the seeds' tools that are taken and not used: what they say is known already. */
  readonly ignored?: readonly string[];
  /** Reads what is said in another shape: where one name of the seeds' tools is more than one of ours. */
  adapt?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  readonly scope: Scope;
  /** What it may do to the book: agents and proxies are told. */
  readonly effect: Effect;
  readonly route: {
    readonly method: Method;
    readonly path: `/v1/${string}`;
    /** Where it is asked as well: the same question under another name. */
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
  /** Whether agents are offered it unasked: a short list is used better than a long one. */
  readonly tool: "always" | "on request" | "never";
  run(input: z.output<Input>, context: Context): Promise<Output>;
  /** The answer for people. */
  render(output: Output, reader: Reader): string;
}

export type Effect = "none" | "adds" | "changes" | "ends";
type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Who asks, and where. */
export interface Caller {
  /** Whose book. */
  readonly owner: string;
  /** Who acts. */
  readonly by: string;
  readonly scopes: readonly Scope[];
  /** The chat or session it was asked in; null when that was no place to answer to. */
  readonly origin: string | null;
  /** The message whose button was pressed to ask this, in the chat of the origin: it shows what came of it. */
  readonly pressed?: string | number;
  /** The id of the token it came in by; absent on its own machine, where none is asked for. */
  readonly token?: string;
}

/** What the answer is said with. */
export interface Reader {
  readonly language: Language;
  readonly zone: string;
  readonly now: number;
}

/** What operations run on, whoever asks and by which interface. */
export interface Installation extends Ports {
  readonly ledger: Ledger;
  /** An owner's own settings over the installation's; read in another ledger inside a caller's transaction. */
  readProfile(owner: string, ledger?: Ledger): Promise<Profile>;
  /** How others reach this installation over HTTP, if they do; a path alone where the server around us knows the rest. */
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
