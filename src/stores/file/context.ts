import type { TaskKind } from "../../features/tasks/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import { hasCode, type ErrorCode } from "../../platform/errors.ts";
import type { Row } from "../memory/row.ts";
import type { Outside } from "./external.ts";
import type { Shown } from "./file-index.ts";
import type { OnStep } from "./step.ts";

/** What those need who look at files of others. */
export interface OutsideDesk {
  readonly root: string;
  readonly ledger: Ledger;
  readonly outside: Outside;
  readonly shown: Shown;
  readonly now: () => number;
  readonly onStep: OnStep;
  /** The row as it is committed. */
  look(id: string): Promise<Row | undefined>;
  /** Tasks that somebody outside has, or had a moment ago. */
  readonly taken: Set<string>;
  claim(id: string, holder: string, leaseMs: number): Promise<Claimed<TaskKind> | undefined>;
  /** Shows the record again where it should be. */
  show(row: Row): void;
  /** Whether what was committed of a record is not shown yet. */
  isBehind(id: string): boolean;
}

/** What came of looking at a file: it is done with, or it is looked at again soon. */
export type Looked = "done" | "again";

const aboutFile: ErrorCode[] = [
  ...(["invalid", "too_large", "not_found", "conflict", "held", "stale", "ended"] as const),
  ...(["leased", "refused", "unsupported"] as const),
];

/** Whether an error says something of the file, and not of the store, the disk or the program. */
export function isAboutFile(error: unknown): error is Error {
  return hasCode(error, ...aboutFile);
}
