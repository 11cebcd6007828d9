import { DaybookError, type ErrorCode } from "./errors.ts";

/** An error of the HTTP layer, with its own status. */
export class HttpError extends DaybookError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, message);
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
  }
}

/** The path exists, but not for this method. */
export function wrongMethod(allow: string): HttpError {
  return new HttpError(405, "unsupported", `This path takes ${allow}.`, { allow });
}
