import { runUntilIdle } from "../kernel/controller.ts";
import type { Operation, Reader } from "../kernel/operation.ts";
import { compose, type Caller, type Node, type NodeOptions } from "./compose.ts";
import { features } from "./features.ts";
import { methodsOf, type Methods } from "./methods.ts";

/** The library: its methods are typed from the list of features. */
export interface Daybook extends Methods<typeof features> {
  readonly node: Node;
  /** The same methods in another owner's book. */
  as(caller: Partial<Caller>): Methods<typeof features>;
  /** Does what is due. */
  work(): Promise<void>;
  render(operation: Operation, output: unknown, reader: Reader): Promise<string>;
}

const self: Caller = { owner: "me", by: "me", origin: null };

export async function open(options: NodeOptions): Promise<Daybook> {
  const node = compose(features, options);
  const { ledger } = node;
  const controllers = await node.controllers();
  return {
    ...methodsOf(features, node, self),
    node,
    as: (caller) => methodsOf(features, node, { ...self, ...caller }),
    work: () => runUntilIdle(controllers, { ledger, now: options.now }),
    async render(operation, output, reader) {
      return operation.render(output, reader, await operation.texts?.load(reader.language));
    },
  };
}
