import { DaybookError, messageOf } from "./errors.ts";

const full = ["ENOSPC", "EDQUOT"];
const forbidden = ["EACCES", "EPERM", "EROFS"];

/** An error of the disk as a DaybookError. `doing` completes "failed while": `"unpacking a tar into /x"`. */
export function diskFault(
  cause: unknown,
  doing: string,
  details: Readonly<Record<string, unknown>> = {},
): DaybookError {
  if (cause instanceof DaybookError) return cause;
  const errno = errnoOf(cause);
  if (full.includes(errno)) {
    const sentence = `The disk is full (${errno}) while ${doing}: make room, or give it a larger disk.`;
    const facts = { fault: "ActionFailed", code: "DISK_FULL", errno };
    return new DaybookError("refused", sentence, { cause, details: { ...details, ...facts } });
  }
  const message = messageOf(cause);
  if (forbidden.includes(errno)) {
    const sentence = `Permission was denied while ${doing}: ${message}. Let the user that runs Daybook read and write there.`;
    const facts = { fault: "ActionFailed", errno };
    return new DaybookError("refused", sentence, { cause, details: { ...details, ...facts } });
  }
  const sentence = `The disk failed while ${doing}: ${message}. Check that it is mounted and healthy.`;
  return new DaybookError("unavailable", sentence, { cause, details: { ...details, errno } });
}

/** The system's code of an error, such as ENOENT; empty when it has none. */
export function errnoOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}
