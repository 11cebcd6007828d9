import { DaybookError, type ErrorCode, messageOf } from "../../platform/errors.ts";

/** The errors of PostgreSQL's codes, by prefix. */
const causes: readonly (readonly [code: string, ErrorCode, advice: string])[] = [
  ["28", "unavailable", "PostgreSQL refuses the user: check the name and the password in the URL."],
  ["3D000", "unavailable", "The database does not exist: create it, or check the URL."],
  [
    "42501",
    "unavailable",
    "The user has no permission: grant it the schema daybook, or CREATE on the database.",
  ],
  ["25006", "unavailable", "This server is a read-only replica: connect to the primary."],
  [
    "53",
    "unavailable",
    "PostgreSQL has no resources left: check its disk, memory and connections.",
  ],
  ["57P", "unavailable", "PostgreSQL is stopping or starting: try again."],
  ["57014", "busy", "The statement was cancelled by a timeout: try again."],
  ["55P03", "busy", "Another transaction has the rows locked: try again."],
  ["40", "busy", "Too many transactions write the same records: try again."],
  [
    "22021",
    "invalid",
    "A name or note has a character that PostgreSQL cannot store (such as NUL).",
  ],
  [
    "22P05",
    "invalid",
    "A name or note has a character that PostgreSQL cannot store (such as NUL).",
  ],
  ["080", "unavailable", "The connection to PostgreSQL failed: check that it runs, and the URL."],
];

const network =
  "PostgreSQL cannot be reached: check that it runs, and the host and port in the URL.";

/** An error of the driver or the server as a `DaybookError`. Any other error is a bug. */
export function faultOf(error: unknown): DaybookError {
  if (error instanceof DaybookError) return error;
  const code = codeOf(error);
  const known = causes.find(([start]) => isSqlState(code) && code.startsWith(start));
  const isNetwork = /^(E[A-Z]+|CONNECT\w+|CONNECTION\w+)$/.test(code) && !isSqlState(code);
  const [, errorCode, advice] =
    known ??
    (isNetwork ? ["", "unavailable", network] : (["", "bug", "The ledger's SQL failed."] as const));
  return new DaybookError(errorCode, `${advice} (${messageOf(error)})`, { cause: error });
}

/** An error while the ledger is opened. It names the server and the database, without the password. */
export function openFaultOf(error: unknown, url: string): DaybookError {
  const fault = faultOf(error);
  if (!URL.canParse(url)) return fault;
  const { username, host, pathname } = new URL(url);
  const name = `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`;
  const { code, message, details } = fault;
  return new DaybookError(code, `${name}: ${message}`, { cause: error, details });
}

/** The connection broke: it is unknown whether the statement took effect. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "CONNECT_TIMEOUT" || code === "ECONNREFUSED" || code === "ENOTFOUND") return false;
  return /^(CONNECTION_\w+|ECONNRESET|EPIPE|ETIMEDOUT|57P0[12]|0800[036])$/.test(code);
}

/** The server rolled it back for another transaction: it may be tried again. */
export function isRetryable(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

/** Another transaction inserted the same key, name or id first. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === "23505";
}

export function lostAnswer(cause: unknown): DaybookError {
  return new DaybookError(
    "unknown",
    `The connection broke before PostgreSQL answered, so the write may or may not be stored: read it by its id. (${messageOf(cause)})`,
    { cause },
  );
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return String(error.code);
}
