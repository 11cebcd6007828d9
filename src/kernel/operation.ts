import type * as z from "zod";
import type { Language } from "../platform/language.ts";
import type { Ledger } from "./ledger.ts";
import type { Ports } from "./port.ts";
import type { Profile } from "./profile.ts";
import type { Scope } from "./scope.ts";

/**
 * One request that callers can make, as it is written down. The command line, the HTTP API, the agent tools and the
 * library all derive from these definitions and offer nothing else.
 */
export interface OperationDefinition<Input extends z.ZodObject, Output> {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  readonly input: Input;
  readonly output: z.ZodType<Output>;
  /** An input that OpenAPI and help show. `npm run examples` records its answer. */
  readonly example?: z.input<Input> | undefined;
  /** Other names of its inputs: those of the seeds' own tools. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** Inputs of the seeds' tools that are accepted and ignored, because their content is known already. */
  readonly ignored?: readonly string[];
  /** Converts an input of another shape: one name of the seeds' tools may stand for several of ours. */
  adapt?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** What the caller's token must allow; absent: to read if it changes nothing, else to write. */
  readonly scope?: Scope | undefined;
  /** What it may change in the book; agents and proxies read it. Absent: what its method usually does. */
  readonly effect?: Effect | undefined;
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
  /** Whether agents see it by default: they use a short list better than a long one. Absent: on request. */
  readonly tool?: "always" | "on request" | "never" | undefined;
  run(input: z.output<Input>, context: Context): Promise<Output>;
  /** The answer for people. */
  render(output: Output, reader: Reader): string;
}

/** A definition with everything that it left to the usual. */
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
type Method = keyof typeof usualEffect;

const usualEffect = {
  GET: "none",
  POST: "changes",
  PUT: "changes",
  PATCH: "changes",
  DELETE: "ends",
} as const;

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
  baseUrl?(): string;
  now(): number;
  randomBytes(count: number): Uint8Array;
}

/** What an operation may use. */
export interface Context extends Caller, Installation {
  /** The owner's own settings over the installation's. */
  readonly profile: Profile;
}

/** Keeps the types of one operation while it is written down, and adds what is usual. */
export function operation<Input extends z.ZodObject, Output>(
  definition: OperationDefinition<Input, Output>,
): Operation<Input, Output> {
  const { effect = usualEffect[definition.route.method], tool = "on request" } = definition;
  const { scope = effect === "none" ? "read" : "write" } = definition;
  return { ...definition, effect, scope, tool };
}
