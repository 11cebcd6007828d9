import type * as z from "zod";
import type { Profile } from "../features/accounts/profile-reader.ts";
import type { Scope } from "../features/accounts/token.ts";
import type { Applied } from "../features/schedules/operations/declared.ts";
import type { TaskDefinition } from "../features/tasks/task-definition.ts";
import type { DaybookError } from "../platform/errors.ts";
import type { Language } from "../platform/language.ts";
import type { Desk } from "./ask.ts";

/**
 * One thing that can be asked. Every face derives from it: what the command line, the HTTP API, the
 * agent tools and the library offer is this table and nothing else.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  readonly name: string;
  /** What it does, in one line. */
  readonly words: string;
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
  say(output: Output, reader: Reader): string;
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

/** What an operation may use. */
export interface Context extends Caller, Desk {
  /** The owner's own settings over the installation's. */
  readonly profile: Profile;
}

/** What can be run. What is absent is not set up. */
export interface RunnersHere {
  /** Any program, or whether this one may be run. */
  readonly command?: boolean | ((program: string) => boolean);
  /** Any URL; or throws for one that would not be called. */
  readonly http?: boolean | ((url: string) => void);
  readonly agent?: boolean;
  /** Functions of the program that the book is part of. */
  readonly tasks?: readonly TaskDefinition[];
}
/** What would happen in an owner's book between two times, as it stands now. */
export type Simulate = (
  owner: string,
  span: { now: number; from: number; to: number; profile: Profile; limit: number },
) => Promise<{ lines: readonly Foreseen[]; isCut: boolean }>;

/** One thing that would happen. */
export interface Foreseen {
  readonly at: number;
  readonly what: "say" | "run";
  readonly text: string;
  readonly target: string;
  /** Of the schedule, the nag or the message, as it is in the book. */
  readonly id: string;
  /** Hours of the day it falls on, where the clocks change. */
  readonly dayHours: number | null;
}

/** What came of reading the settings again. */
export type Reloaded<More = unknown> =
  | ({
      ok: true;
      /** By key, since the last time. */
      changed: readonly string[];
      /** Since the start: what runs is still the old one. */
      needsRestart: readonly string[];
    } & More)
  | { ok: false; problems: readonly string[] };

/** What became of the schedules that stand in the settings. */
export interface MadeSchedules {
  readonly steps: readonly Applied[];
  /** Why they were not made so. */
  readonly refused?: DaybookError;
}

/** Keeps the types of one operation while it is written down. */
export function operation<Input extends z.ZodObject, Output>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}
