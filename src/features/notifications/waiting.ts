import * as z from "zod";
import type { AnyRecord } from "../../kernel/record.ts";
import { isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords, span } from "../../time/times.ts";
import { scopeText } from "../nodes/index.ts";
import type { Hold, Outlook } from "./hold.ts";
import { attachCommand } from "./routing.ts";
import { textsOf } from "./texts.ts";

/** Why a record has not been sent or run yet, when that is not only its time. */
export const waitingView = z.object({
  for: z
    .enum([
      "attempt",
      "listener",
      "quiet_hours",
      "meeting",
      "paused",
      "retry",
      "lane",
      "expiry",
      "node",
      "answer",
      "callback",
      "turn",
      "capacity",
      "rate",
      "workspace",
      "worker",
      "budget",
    ])
    .describe(
      "attempt: it is being sent or run now; listener: nobody is attached; lane: others for the same target go first; expiry: it will expire unsent; node: it is due, and no node has taken it",
    ),
  until: z
    .string()
    .meta({ format: "date-time" })
    .nullable()
    .describe("when that ends; null: at no known time"),
  text: z.string().describe("the reason as a sentence, in the language of the caller"),
});
export type WaitingView = z.infer<typeof waitingView>;

/** The reason as facts, before it is put into words. */
export type Waiting =
  | Hold
  | { readonly for: "attempt"; readonly by: string }
  | { readonly for: "listener"; readonly target: string }
  | {
      readonly for: "retry";
      readonly until: number;
      readonly attempt: number;
      readonly reason: string;
    }
  | { readonly for: "lane"; readonly until: number; readonly lane: string | null }
  | { readonly for: "expiry"; readonly until: number }
  | { readonly for: "budget"; readonly until: number }
  | { readonly for: "node"; readonly since: number; readonly by: string | null };

const charsMax = 200;

export function shownWaiting(waiting: Waiting, outlook: Outlook): WaitingView {
  const until = "until" in waiting ? isoOr(waiting.until) : null;
  return { for: waiting.for, until, text: oneLine(textOf(waiting, outlook), charsMax) };
}

function textOf(waiting: Waiting, { language, zone, now }: Outlook): string {
  const texts = textsOf(language);
  const words = (at: number): string => inWords(at, zone, language);
  switch (waiting.for) {
    case "attempt":
      return texts.waits.attempt(waiting.by);
    case "listener":
      return texts.waitsForListener({
        target: waiting.target,
        command: attachCommand(waiting.target),
      });
    case "quiet_hours":
      return texts.waits.quietHours(words(waiting.until));
    case "meeting":
      return texts.waits.meeting(words(waiting.until));
    case "paused": {
      const { scope, reason } = waiting.pause.body;
      const until = waiting.until === null ? null : words(waiting.until);
      return texts.waits.paused({ scope: scopeText(scope), until, reason });
    }
    case "retry": {
      const { attempt, reason, until } = waiting;
      return texts.waits.retry({
        attempt: String(attempt),
        reason: texts.reason(reason),
        when: words(until),
      });
    }
    case "lane":
      return texts.waits.lane(waiting.lane);
    case "expiry":
      return texts.waits.expiry(words(waiting.until));
    case "budget":
      return texts.waits.budget(words(waiting.until));
    case "node":
      return texts.waits.node({ span: span(now - waiting.since, language), by: waiting.by });
  }
}

/** What a due record of any kind waits for, by its lease and its lane alone; undefined: only for its time. */
export function waitOf(
  { lease, wakeAt, readyAt, lane, attempt }: AnyRecord,
  now: number,
  reason: string | null,
): Waiting | undefined {
  if (wakeAt === null) return undefined;
  if (lease !== null) {
    return wakeAt > now
      ? { for: "attempt", by: lease.holder }
      : { for: "node", since: wakeAt, by: lease.holder };
  }
  if (wakeAt <= now) return { for: "node", since: wakeAt, by: null };
  if (readyAt !== null && readyAt < wakeAt) return { for: "lane", until: wakeAt, lane };
  if (attempt > 0 && reason !== null) return { for: "retry", until: wakeAt, attempt, reason };
  return undefined;
}
