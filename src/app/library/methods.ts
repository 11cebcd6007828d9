import type * as z from "zod";
import { operations } from "../../features/index.ts";
import { callOperation } from "../../kernel/call.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";

type Operations = typeof operations;

/** Every operation as a method. */
export type Methods = {
  readonly [Name in keyof Operations]: (
    input: z.input<Operations[Name]["input"]>,
  ) => ReturnType<Operations[Name]["run"]>;
};

/** The methods of one caller. */
export function methodsFor(installation: Installation, caller: Caller): Methods {
  const method =
    (operation: Operation) =>
    async (input: unknown): Promise<unknown> =>
      (await callOperation(installation, operation, input, caller)).output;
  const entries = Object.entries(operations).map(([name, each]) => [name, method(each)]);
  return Object.fromEntries(entries) as Methods; // the names and types of the table
}
