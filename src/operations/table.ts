import { cancel } from "./cancel.ts";
import { explain } from "./explain.ts";
import { list } from "./list.ts";
import type { Operation } from "./operation.ts";
import { remind } from "./remind.ts";

/** Everything that can be asked, in the order people read it. */
export const operations: readonly Operation[] = [remind, list, cancel, explain].map(
  (each) => each as unknown as Operation,
);
