import { DaybookError, messageOf } from "./errors.ts";

const full = ["ENOSPC", "EDQUOT"];
const forbidden = ["EACCES", "EPERM", "EROFS"];

/** What the disk said, as an error of ours. `doing` ends the sentence "… went wrong while": `"unpacking a tar into /x"`. */
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
  const said = messageOf(cause);
  if (forbidden.includes(errno)) {
    const sentence = `It is not allowed, while ${doing}: ${said}. Let the user that runs Daybook read and write there.`;
    const facts = { fault: "ActionFailed", errno };
    return new DaybookError("refused", sentence, { cause, details: { ...details, ...facts } });
  }
  const sentence = `The disk did not do it, while ${doing}: ${said}. Look whether it is there and well.`;
  return new DaybookError("unavailable", sentence, { cause, details: { ...details, errno } });
}

/** The system's name for what went wrong, as ENOENT; empty: it has none. */
export function errnoOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}
