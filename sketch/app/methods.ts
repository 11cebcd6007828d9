import type * as z from "zod";
import type { Feature } from "../kernel/feature.ts";
import type { Caller, Node } from "./compose.ts";

type OperationsIn<F> = F extends { readonly operations: infer Operations } ? Operations : never;
type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Every operation of a list of features as a method: what the library offers, with no list by hand. */
export type Methods<Features extends readonly Feature[]> = MethodsOf<
  Both<OperationsIn<Features[number]>>
>;

interface Asked<Input extends z.ZodType, Output extends z.ZodType> {
  readonly input: Input;
  readonly output: Output;
}

type MethodsOf<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends Asked<infer Input, infer Output>
    ? (input: z.input<Input>) => Promise<z.input<Output>>
    : never;
};

export function methodsOf<const Features extends readonly Feature[]>(
  features: Features,
  node: Pick<Node, "ask">,
  caller: Caller,
): Methods<Features> {
  const operations = features.flatMap((each) => Object.entries(each.operations ?? {}));
  const methods = operations.map(([name, operation]) => [
    name,
    (input: unknown) => node.ask(operation, input, caller),
  ]);
  return Object.fromEntries(methods) as Methods<Features>;
}
