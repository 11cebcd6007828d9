import { z } from "zod";
import { DaybookError } from "../../platform/errors.ts";
import { retryAfterMs, type SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";

export type Answer = Awaited<ReturnType<SafeFetch>>;

export const connectAgain = "run daybook calendar connect google again";

/** Google's quotas count by the minute. */
const quotaRestMs = 60_000;
const restMsMax = 60 * 60_000;

const limitReasons = [
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "quotaExceeded",
  "dailyLimitExceeded",
  "calendarUsageLimitsExceeded",
];
/** What Google refuses about one event, while others can be written. */
const eventReasons = ["forbiddenForNonOrganizer", "eventTypeRestriction", "malformedCalendarEvent"];

const errorForm = z.object({
  error: z.object({
    message: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

interface Told {
  readonly reason: string;
  readonly message: string;
}

/** What an answer of the Calendar API says is wrong. */
function toldIn({ body }: Answer): Told {
  const { data } = errorForm.safeParse(jsonIn(body));
  const message = oneLine(data?.error.message ?? "nothing", 200).replace(/\.$/, "");
  return { reason: data?.error.errors?.[0]?.reason ?? "", message };
}

/** The error of an answer of the Calendar API. `isEntry`: the call was about one event. */
export function apiFailure(answer: Answer, now: number, isEntry: boolean): DaybookError {
  const { status } = answer;
  const { reason, message } = toldIn(answer);
  const fail = (code: DaybookError["code"], advice: string, entry = false): DaybookError =>
    new DaybookError(code, `Google answered ${status} (${message}): ${advice}.`, {
      details: present({ sent: true, status, entry: entry && isEntry ? true : undefined }),
    });
  if (status === 429 || status >= 500 || limitReasons.includes(reason)) return rest(answer, now);
  if (status === 404) return fail("not_found", "connect a calendar that exists");
  if (status === 401) return fail("refused", connectAgain);
  if (reason === "insufficientPermissions") {
    return fail("refused", `${connectAgain}, and allow everything that it asks for`);
  }
  if (reason === "requiredAccessLevel") {
    return fail("refused", "connect a calendar that you may change");
  }
  if (status === 403) {
    const isEvent = eventReasons.includes(reason);
    const advice = "check that the Google Calendar API is enabled in your project at Google";
    return fail("refused", isEvent ? "the event is left as it is" : advice, isEvent);
  }
  const advice = isEntry ? "the event is left as it is" : "report this as a bug of Daybook";
  return fail("invalid", advice, true);
}

/** Google asks for a pause, or is out of order. */
export function rest({ status, headers }: Answer, now: number): DaybookError {
  const asked = retryAfterMs(headers["retry-after"], now);
  const restMs = Math.min(asked ?? (status >= 500 ? 0 : quotaRestMs), restMsMax);
  const why = status >= 500 ? "is out of order" : "takes no more requests for now";
  return new DaybookError("unavailable", `Google ${why} (${status}): it is tried again later.`, {
    details: present({ sent: true, status, restMs: restMs || undefined }),
  });
}

/** Undefined: it is no JSON. */
export function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

export function unreadable(what: string): DaybookError {
  return new DaybookError(
    "unavailable",
    `Google's answer has no ${what}: it is tried again later.`,
  );
}
