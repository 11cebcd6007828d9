import { errnoOf } from "../../platform/disk-fault.ts";
import { DaybookError, messageOf, type ErrorCode } from "../../platform/errors.ts";

export function hasErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes(errnoOf(error));
}

/** The disk is full. Its files are intact. */
export function isFull(error: unknown): boolean {
  return hasErrno(error, "ENOSPC", "EDQUOT", "EFBIG");
}

export function fault(
  code: ErrorCode,
  path: string,
  problem: string,
  cause?: unknown,
): DaybookError {
  const reason = cause === undefined ? "" : ` (${messageOf(cause)})`;
  return new DaybookError(code, `${path} ${problem}${reason}`, { cause, details: { path } });
}

/** Runs a function. An error of the file system becomes one that names the path. */
export function guarded<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof DaybookError) throw error;
    throw fault("unavailable", path, "cannot be used: check its disk and permissions.", error);
  }
}
