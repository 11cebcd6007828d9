/** An error as the API answers it. */
export class GoogleRefusal extends Error {
  readonly status: number;
  readonly reason: string;
  readonly more: Readonly<Record<string, string>>;

  constructor(
    status: number,
    reason: string,
    message: string,
    more: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.more = more;
  }
}

/** A request that Google may answer in any way: the client must not send it. */
export class GoogleComplaint extends Error {}
