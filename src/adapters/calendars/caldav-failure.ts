import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { retryAfterMs } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";

/** What a server answered. */
export interface DavAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Where it was found, after redirects. */
  readonly url: string;
}

const restMsMax = 6 * 60 * 60_000;

interface Concern {
  readonly now: number;
  /** It is about one entry: what is wrong with that entry does not concern the others. */
  readonly isEntry: boolean;
}

/** What an answer that is no success means, and what to do. */
export function davFailure(answer: DavAnswer, { now, isEntry }: Concern): DaybookError {
  const { status } = answer;
  const restMs = retryAfterMs(answer.headers["retry-after"], now);
  const details = { status, restMs: restMs && Math.min(restMs, restMsMax) };
  const fault = (code: ErrorCode, message: string): DaybookError =>
    new DaybookError(code, message, { details: present(details) });
  if (status === 401) return fault("refused", rejected);
  if (status === 403) return fault("refused", forbidden(answer));
  if (status === 404 || status === 410) {
    return fault("not_found", `There is no calendar at ${answer.url}: connect it again.`);
  }
  if (status === 507) {
    return fault("unavailable", "The calendar's server has no space left: remove something there.");
  }
  if (status === 429 || status >= 500) {
    const sentence = `The calendar's server answered ${status}: it is tried again later.`;
    return fault("unavailable", sentence);
  }
  if (status >= 300 && status < 400) return fault("unavailable", redirected(answer));
  return isEntry ? entryFailure(answer) : fault("unavailable", rejection(answer));
}

/** The server does not take this entry. */
export function entryFailure(answer: DavAnswer): DaybookError {
  const details = { status: answer.status, entry: true };
  return new DaybookError("refused", rejection(answer), { details });
}

function rejection(answer: DavAnswer): string {
  return `The calendar's server does not accept the request (${reasonIn(answer)}): look into its log.`;
}

const rejected =
  "The calendar's server rejected the user name or the password: check both. iCloud, Fastmail and others want an app password, which their settings make.";

function forbidden(answer: DavAnswer): string {
  return `The calendar's server does not allow this (${reasonIn(answer)}): give this user the right to write there.`;
}

function redirected({ status, headers }: DavAnswer): string {
  const to = oneLine(headers["location"] ?? "nowhere", 300);
  return `The calendar's server answered ${status} and names ${to}: connect the calendar with that URL.`;
}

/** The condition that a server names in an error, such as `no-uid-conflict`, else its status. */
export function reasonIn({ status, text }: Pick<DavAnswer, "status" | "text">): string {
  const [, name] = /<(?:[\w-]+:)?error\b[^>]*>\s*<(?:[\w-]+:)?([\w-]+)/.exec(text) ?? [];
  return name ?? `${status}`;
}

export function unreadable(what: string): DaybookError {
  const sentence = `The ${what} of the calendar's server cannot be read: check the URL of the calendar.`;
  return new DaybookError("unavailable", sentence);
}
