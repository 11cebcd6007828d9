import type * as z from "zod";
import type { Ledger } from "../ledger/ledger.ts";

/**
 * One thing that can be asked. Every face derives from it: what the command line, the HTTP API, the
 * agent tools and the library offer is this table and nothing else.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  readonly name: string;
  /** What it does, in one line. */
  readonly words: string;
  readonly input: Input;
  /** How it is typed: the command, and which inputs stand without a flag. */
  readonly command: { readonly name: string; readonly positionals: readonly string[] };
  run(input: z.output<Input>, context: Context): Promise<Output>;
  /** The answer for people. */
  say(output: Output, context: Context): string;
}

/** Who asks, where and when. */
export interface Context {
  readonly ledger: Ledger;
  readonly owner: string;
  readonly by: string;
  /** Where it was asked for; answers go there. */
  readonly origin: string;
  readonly zone: string;
  now(): number;
}

/** Keeps the types of one operation while it is written down. */
export function operation<Input extends z.ZodObject, Output>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}
