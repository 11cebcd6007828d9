import type * as z from "zod";
import type { Language } from "../platform/language.ts";
import type { Terminal } from "../platform/table.ts";
import type { Ledger } from "./ledger.ts";
import type { Ports } from "./port.ts";
import type { Profile } from "./profile.ts";
import type { Scope } from "./scope.ts";

/**
 * One request that callers can make. The command line, the HTTP API, the agent tools and the library all derive from
 * these definitions and offer nothing else.
 */
export interface OperationDefinition<Input extends z.ZodObject, Output> {
  /** A verb and a noun, as in its command and its path: the name of the tool, and of the operation in OpenAPI. */
  readonly name: string;
  /** Names that the tool had before, which agents may still call. */
  readonly oldNames?: readonly string[];
  /** What it does, in one line. */
  readonly summary: string;
  readonly input: Input;
  readonly output: z.ZodType<Output>;
  /** An input that OpenAPI and help show. `npm run examples` records its answer. */
  readonly example?: z.input<Input> | undefined;
  /** Other names of its inputs: those of the seeds' own tools. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** Inputs of the seeds' tools that are accepted and ignored, because the caller already implies them. */
  readonly ignored?: readonly string[];
  /** Converts an input of another shape: one input of the seeds' tools may stand for several of this operation. */
  adapt?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The scope that the caller's token needs. Default: `read` without an effect, else `write`. */
  readonly scope?: Scope | undefined;
  /** Its effect on the book, for agents and proxies. Default: the usual effect of its method. */
  readonly effect?: Effect | undefined;
  readonly route: {
    readonly method: Method;
    readonly path: `/v1/${string}`;
    /** A second path of the same operation. */
    readonly also?: `/v1/${string}`;
    /** A path that it had before: requests to it are still answered, and OpenAPI has it no more. */
    readonly oldPath?: `/v1/${string}`;
    /** The size limit of the request body, when it is larger than usual. */
    readonly bodyBytesMax?: number;
  };
  /** The command (one word or two), and the inputs that are typed without a flag. */
  readonly command: {
    readonly name: string;
    /** Other spellings, which help does not list. */
    readonly aliases?: readonly string[];
    readonly positionals: readonly string[];
    /** The input that takes every word after `--`. */
    readonly rest?: string;
    /** The input that is read from a JSON file: the file's name is typed. */
    readonly file?: string;
  };
  /** Whether agents see it by default: they use a short list better than a long one. Default: on request. */
  readonly tool?: "always" | "on request" | "never" | undefined;
  /** How agents see the inputs. */
  readonly toolInputs?: ToolInputs | undefined;
  run(input: z.output<Input>, context: Context): Promise<Output>;
  /** The answer for people. */
  render(output: Output, reader: Reader): string;
}

/** Of several ways to say one thing, agents are shown one, and must use it. Inputs that are hidden work all the same. */
interface ToolInputs {
  readonly required?: readonly string[];
  readonly hidden?: readonly string[];
  /** Shown only to agents that request every tool. */
  readonly seldom?: readonly string[];
  /** Inputs that are shown under one of their aliases, as the seeds' tools name them. */
  readonly shownAs?: Readonly<Record<string, string>>;
}

/** A definition with its defaults filled in. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output = unknown,
> extends OperationDefinition<Input, Output> {
  readonly scope: Scope;
  readonly effect: Effect;
  readonly tool: "always" | "on request" | "never";
}

/** The id of the record in examples. */
export const exampleId = "019a8d3e-7c00-7a52-9b1e-3f4c5d6e7f80";

export type Effect = "none" | "adds" | "changes" | "ends";
type Method = keyof typeof defaultEffect;

const defaultEffect = {
  GET: "none",
  POST: "changes",
  PUT: "changes",
  PATCH: "changes",
  DELETE: "ends",
} as const;

/** The caller of an operation. */
export interface Caller {
  /** The owner of the book. */
  readonly owner: string;
  /** The principal. */
  readonly by: string;
  readonly scopes: readonly Scope[];
  /** The chat or session of the request; null when it cannot receive an answer. */
  readonly origin: string | null;
  /** The message in the origin's chat whose button was pressed; it is edited to show the result. */
  readonly pressed?: string | number;
  /** A person typed the request, on the command line or in a chat: its times must be ahead. */
  readonly typed?: boolean | undefined;
  /** The language that the answer is for; absent: the owner's. */
  readonly language?: Language | undefined;
  /** The id of the run whose agent asks. */
  readonly run?: string;
  /** The id of the caller's token; absent on the local machine, where none is needed. */
  readonly token?: string;
}

/** The language, zone and time that an answer is rendered with. */
export interface Reader {
  readonly language: Language;
  readonly zone: string;
  readonly now: number;
  /** Where the command line prints the answer; absent for every other interface. */
  readonly terminal?: Terminal | undefined;
}

/** The ledger, the settings and the ports of all operations, whoever calls them. */
export interface Installation extends Ports {
  readonly ledger: Ledger;
  /** An owner's own settings over the installation's. Inside a caller's transaction, pass its ledger. */
  readProfile(owner: string, ledger?: Ledger): Promise<Profile>;
  /** The base URL of this installation over HTTP, if it has one; a path alone inside another server. */
  baseUrl?(): string;
  now(): number;
  randomBytes(count: number): Uint8Array;
}

/** The caller and the installation, for one call of an operation. */
export interface Context extends Caller, Installation {
  /** The owner's own settings over the installation's. */
  readonly profile: Profile;
}

/** Infers the types of one operation, and fills in the defaults. */
export function operation<Input extends z.ZodObject, Output>(
  definition: OperationDefinition<Input, Output>,
): Operation<Input, Output> {
  const { effect = defaultEffect[definition.route.method], tool = "on request" } = definition;
  const { scope = effect === "none" ? "read" : "write" } = definition;
  return { ...definition, effect, scope, tool };
}
