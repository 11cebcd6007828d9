import { port } from "../../kernel/port.ts";
import type { CallRule } from "../notifications/ports.ts";
import type { TaskDefinition } from "./task-definition.ts";

/** What can be run. What is absent is not set up. */
export interface RunnersHere {
  /** Any program, or whether this one may be run. */
  readonly command?: boolean | ((program: string) => boolean);
  readonly http?: CallRule;
  readonly agent?: boolean;
  /** Functions of the program that the book is part of. */
  readonly tasks?: readonly TaskDefinition[];
}

export const runnersHere = port<RunnersHere>("tasks.runners", {});
