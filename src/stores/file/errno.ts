import { DaybookError, messageOf, type ErrorCode } from "../../platform/errors.ts";

export function hasErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** The disk is full: the files on it are good. */
export function isFull(error: unknown): boolean {
  return hasErrno(error, "ENOSPC", "EDQUOT", "EFBIG");
}

export function fault(code: ErrorCode, path: string, what: string, cause?: unknown): DaybookError {
  const why = cause === undefined ? "" : ` (${messageOf(cause)})`;
  return new DaybookError(code, `${path} ${what}${why}`, { cause, details: { path } });
}

/** Turns errors of the file system into one that says that the path cannot be used. */
export function guarded<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof DaybookError) throw error;
    throw fault("unavailable", path, "cannot be used: look at its disk and permissions.", error);
  }
}
