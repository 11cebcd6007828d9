import { z } from "zod";
import { DaybookError } from "../../platform/errors.ts";
import { retryAfterMs, type SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";

type Answer = Awaited<ReturnType<SafeFetch>>;

const restMsMax = 6 * 60 * 60_000;

/** The error of an answer that is no success; undefined for a success. */
export function answerFault(
  service: string,
  { status, headers }: Answer,
  now: number,
): DaybookError | undefined {
  if (status === 200 || status === 304) return undefined;
  const retryMs = retryAfterMs(headers["retry-after"], now);
  const isSpent = headers["x-ratelimit-remaining"] === "0";
  const restMs = retryMs ?? (isSpent ? untilReset(headers, now) : undefined);
  const details = present({ status, restMs: restMs && Math.min(restMs, restMsMax) });
  if (status === 429 || (status === 403 && restMs !== undefined)) {
    return new DaybookError(
      "busy",
      `The rate limit of ${service} is used up: the next poll waits for it.`,
      {
        details,
      },
    );
  }
  if (status === 401 || status === 403) {
    const message = `${service} refused the token (${status}): set one with read access.`;
    return new DaybookError("refused", message, { details });
  }
  const message = `${service} answered ${status}: check its address and its status page.`;
  return new DaybookError("unavailable", message, { details });
}

function untilReset(headers: Answer["headers"], now: number): number | undefined {
  const at = headers["x-ratelimit-reset"] ?? "";
  return /^\d{1,12}$/.test(at) ? Math.max(Number(at) * 1_000 - now, 0) : undefined;
}

/** The body as JSON. The error does not repeat it: it may contain anything. */
export function jsonOf(service: string, { body }: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw unreadable(service, "it is not JSON", cause);
  }
}

export function unreadable(service: string, why: string, cause?: unknown): DaybookError {
  const message = `${service}'s answer cannot be read: ${why}. Check its address.`;
  return new DaybookError("unavailable", message, { cause });
}

/** The items of a list that can be read, and why the others cannot. */
export function readEach<T>(
  form: z.ZodType<T>,
  items: readonly unknown[],
  what: string,
): { readonly read: readonly T[]; readonly reasons: readonly string[] } {
  const all = items.map((each) => form.safeParse(each));
  return {
    read: all.flatMap((each) => (each.success ? [each.data] : [])),
    reasons: all.flatMap(({ error }) =>
      error === undefined ? [] : [oneLine(`${what} whose ${z.prettifyError(error)}`, 200)],
    ),
  };
}

/** The reason of a poll that could not read everything. */
export function unreadReason([first, ...more]: readonly string[], what = "could not be read") {
  return first === undefined ? undefined : `${more.length + 1} ${what}: ${first}`;
}

/** An unreadable cursor is an error: a first poll would skip the events since then. */
export function unreadableCursor(source: string): DaybookError {
  const message = `The cursor of the source ${source} cannot be read: remove the source and add it again.`;
  return new DaybookError("invalid", message);
}

/** The epoch milliseconds of an ISO 8601 time; undefined when it is none. */
export function instantOf(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}
