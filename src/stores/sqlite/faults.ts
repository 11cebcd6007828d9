import { DaybookError, messageOf, type ErrorCode } from "../../platform/errors.ts";

/** SQLite's primary result codes (https://sqlite.org/rescode.html) as our errors. */
const causes: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  5: ["busy", "Another process has the ledger locked: try again."],
  6: ["busy", "Another connection has the ledger locked: try again."],
  7: ["unavailable", "There is not enough memory: free some and try again."],
  8: ["unavailable", "The ledger's file is read-only: make it and its folder writable."],
  10: ["unavailable", "The disk failed: look at the system's log, then start again."],
  11: ["unavailable", "The ledger's file is damaged: restore the newest backup."],
  13: ["unavailable", "The disk is full: free some space and try again."],
  14: ["unavailable", "The ledger's file cannot be opened: check its path and permissions."],
  23: ["unavailable", "The ledger's file may not be read: check its permissions."],
  26: ["unavailable", "The file is not a ledger, or it is damaged: restore the newest backup."],
};

/** An error of SQLite as one of ours; any other error that is not ours is a bug. */
export function faultOf(error: unknown): DaybookError {
  if (error instanceof DaybookError) return error;
  const [code, advice] = causes[primaryCode(error)] ?? ["bug", "The ledger's SQL failed."];
  return new DaybookError(code, `${advice} (${messageOf(error)})`, { cause: error });
}

/** The disk is full: the transaction is gone, and a later one may fit. */
export function isFull(error: unknown): boolean {
  return primaryCode(error) === 13;
}

function primaryCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error)) return 0;
  return typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}
