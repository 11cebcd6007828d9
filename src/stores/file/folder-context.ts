import type { ExternalPrograms } from "../../kernel/files.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import { errnoOf } from "../../platform/disk-fault.ts";
import { DaybookError, hasCode, type ErrorCode } from "../../platform/errors.ts";
import type { Row } from "../memory/row.ts";
import type { FileIndex } from "./file-index.ts";
import type { Layouts } from "./layouts.ts";
import { quarantineFile, quarantineReasons } from "./quarantine.ts";
import type { OnStep } from "./step.ts";

/** The parts that handle files of other programs. */
export interface FolderContext {
  readonly root: string;
  readonly layouts: Layouts;
  readonly ledger: Ledger;
  readonly external: ExternalPrograms;
  readonly index: FileIndex;
  readonly now: () => number;
  /** The ids of records whose newest file was not there when the ledger was opened. */
  readonly unshown: Set<string>;
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

const passing: ErrorCode[] = ["busy", "unknown", "unavailable", "closed"];

/** Whether the store or the disk is the cause of an error, and not the file: then the file is read again later. */
function isPassing(error: unknown): boolean {
  if (error instanceof DaybookError) return hasCode(error, ...passing);
  return /^E(?!RR_)/.test(errnoOf(error));
}

/** Handles a file. One that makes this throw goes to quarantine: it would throw again at every scan. */
export async function orQuarantine(
  { root }: Pick<FolderContext, "root">,
  path: string,
  handle: () => Promise<Progress>,
): Promise<Progress> {
  try {
    return await handle();
  } catch (error) {
    if (isPassing(error)) throw error;
    quarantineFile(root, path, quarantineReasons.threw(error));
    return "done";
  }
}
