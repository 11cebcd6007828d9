/** The causes of errors. An interface turns a code into an exit status or an HTTP status. */
const errorCodes = [
  "invalid", // the input is wrong; the message says what to change
  "too_large", // the input is over a limit named in the message
  "not_found", // no such record for this owner (also for another owner's record)
  "conflict", // the key or id was used for another request
  "held", // another live record has the name; `details.holder` is its id
  "stale", // the record does not have the revision or state that the caller named
  "ended", // the record has ended and never changes again
  "leased", // a worker holds the record's lease
  "busy", // the store is locked by another process; nothing was written, try again
  "unknown", // the answer was lost; the write may or may not have happened
  "unavailable", // the store, a file or a peer cannot be reached or read
  "unsupported", // this build, store or platform cannot do it
  "refused", // a safety rule forbids it
  "closed", // used after stop
  "bug", // an invariant of this program does not hold
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export function isErrorCode(code: unknown): code is ErrorCode {
  return errorCodes.some((each) => each === code);
}

interface ErrorOptions {
  cause?: unknown;
  /** Facts for programs: ids, names, limits. Plain JSON, so that it crosses threads and the wire. */
  details?: Readonly<Record<string, unknown>>;
}

/** Every error that is thrown on purpose. The message is a sentence that says what to do. */
export class DaybookError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DaybookError";
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** An error as plain data, to cross a thread or a process. */
export interface ErrorData {
  code: ErrorCode;
  message: string;
  details: Readonly<Record<string, unknown>>;
}

export function toErrorData(error: unknown): ErrorData {
  if (error instanceof DaybookError) {
    return { code: error.code, message: error.message, details: error.details };
  }
  return { code: "bug", message: messageOf(error), details: {} };
}

export function fromErrorData(data: ErrorData): DaybookError {
  return new DaybookError(data.code, data.message, { details: data.details });
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node's network collects the errors of each address under an error without a message.
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.message || inner.map(messageOf).join("; ") || error.name;
}

/** Where an error came from, if nobody threw it on purpose: without its message, which is a fact of its own. */
export function framesOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof DaybookError) return undefined;
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  return frames.length === 0 ? undefined : frames.join("\n");
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): error is DaybookError {
  return error instanceof DaybookError && codes.includes(error.code);
}
