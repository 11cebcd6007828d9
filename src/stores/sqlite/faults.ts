import { DaybookError, messageOf, type ErrorCode } from "../../platform/errors.ts";

/** The errors of SQLite's primary result codes (https://sqlite.org/rescode.html). */
const causes: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  5: ["busy", "The ledger is locked by another process: try again."],
  6: ["busy", "The ledger is locked by another connection: try again."],
  7: ["unavailable", "There is not enough memory: free some memory and try again."],
  8: ["unavailable", "The ledger's file is read-only: make the file and its folder writable."],
  10: ["unavailable", "The disk failed: check the system's log, then restart."],
  11: ["unavailable", "The ledger's file is damaged: restore the newest backup."],
  13: ["unavailable", "The disk is full: free some space and try again."],
  14: ["unavailable", "The ledger's file cannot be opened: check its path and permissions."],
  23: ["unavailable", "The ledger's file cannot be read: check its permissions."],
  26: ["unavailable", "The file is not a ledger, or it is damaged: restore the newest backup."],
};

/** An error of SQLite as a `DaybookError`. Any other error is a bug. */
export function faultOf(error: unknown): DaybookError {
  if (error instanceof DaybookError) return error;
  const [code, advice] = causes[primaryCode(error)] ?? ["bug", "The ledger's SQL failed."];
  return new DaybookError(code, `${advice} (${messageOf(error)})`, { cause: error });
}

/** The disk is full: the transaction is rolled back, and a later one may fit. */
export function isFull(error: unknown): boolean {
  return primaryCode(error) === 13;
}

function primaryCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error)) return 0;
  return typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}
