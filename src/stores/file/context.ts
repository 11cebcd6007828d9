import type { ExternalPrograms } from "../../kernel/files.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import { hasCode, type ErrorCode } from "../../platform/errors.ts";
import type { Row } from "../memory/row.ts";
import type { FileIndex } from "./file-index.ts";
import type { Layouts } from "./layouts.ts";
import type { OnStep } from "./step.ts";

/** What is needed to take in the files of other programs. */
export interface FolderContext {
  readonly root: string;
  readonly layouts: Layouts;
  readonly ledger: Ledger;
  readonly external: ExternalPrograms;
  readonly index: FileIndex;
  readonly now: () => number;
  readonly onStep: OnStep;
  /** The row as it is committed. */
  find(id: string): Promise<Row | undefined>;
  /** Records that a program holds over files, or held a moment ago. */
  readonly held: Set<string>;
  claim(id: string, holder: string, leaseMs: number): Promise<Claimed | undefined>;
  /** Writes the record's file again where it should be. */
  show(row: Row): void;
  /** Whether what was committed of a record is not shown yet. */
  isBehind(id: string): boolean;
}

/** What came of reading a file: it is done with, or it is read again soon. */
export type Progress = "done" | "again";

const aboutFile: ErrorCode[] = [
  ...(["invalid", "too_large", "not_found", "conflict", "held", "stale", "ended"] as const),
  ...(["leased", "refused", "unsupported"] as const),
];

/** Whether an error says something of the file, and not of the store, the disk or the program. */
export function isAboutFile(error: unknown): error is Error {
  return hasCode(error, ...aboutFile);
}
