import type { ExternalPrograms } from "../../kernel/files.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import { hasCode, type ErrorCode } from "../../platform/errors.ts";
import type { Row } from "../memory/row.ts";
import type { FileIndex } from "./file-index.ts";
import type { Layouts } from "./layouts.ts";
import type { OnStep } from "./step.ts";

/** The parts that handle files of other programs. */
export interface FolderContext {
  readonly root: string;
  readonly layouts: Layouts;
  readonly ledger: Ledger;
  readonly external: ExternalPrograms;
  readonly index: FileIndex;
  readonly now: () => number;
  readonly onStep: OnStep;
  /** The committed row. */
  find(id: string): Promise<Row | undefined>;
  /** Records that a program has claimed over files, now or a moment ago. */
  readonly held: Set<string>;
  claim(id: string, holder: string, leaseMs: number): Promise<Claimed | undefined>;
  /** Writes the record's file again in its folder. */
  show(row: Row): void;
  /** Whether the newest commit of a record is not in its file yet. */
  isBehind(id: string): boolean;
}

/** The result of handling a file: finished, or it is read again soon. */
export type Progress = "done" | "retry";

const fileErrors: ErrorCode[] = [
  ...(["invalid", "too_large", "not_found", "conflict", "held", "stale", "ended"] as const),
  ...(["leased", "refused", "unsupported"] as const),
];

/** Whether the file is the cause of an error, and not the store, the disk or the program. */
export function isFileError(error: unknown): error is Error {
  return hasCode(error, ...fileErrors);
}
