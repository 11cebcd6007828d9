import * as z from "zod";
import { bookOf } from "../../kernel/book.ts";
import { explainPart, type Subject, type WaitView } from "../../kernel/explain.ts";
import type { Reader } from "../../kernel/operation.ts";
import { fromIso, isoOr } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { distance, inWords } from "../../time/times.ts";
import { localTime, type Quiet } from "../accounts/index.ts";
import { outlookOf } from "../notifications/index.ts";
import { timeAfter, type Curve } from "./curve.ts";
import { type Nag, nagKind, nextOf, stateOf } from "./kind.ts";
import { nagView, titleOf, viewNag } from "./operations/view.ts";
import { textsOf } from "./texts.ts";

const charsMax = 200;
const minuteMs = 60_000;

const length = z.object({ count: z.number(), unit: z.enum(["minutes", "hours", "days"]) });

const curveView = z.object({
  base: length,
  factor: z.number(),
  cap: length,
  jitter: z.number().exactOptional(),
  countMax: z.number().exactOptional(),
  sleep: z.object({ from: z.string(), to: z.string() }).exactOptional(),
  weekdays: z.boolean().exactOptional(),
  wholeHours: z.boolean().exactOptional(),
  escalate: z.object({ after: z.number(), target: z.string() }).exactOptional(),
});

const view = nagView.extend({
  origin: z.string().nullable().describe("the chat or session of the request"),
  planned_at: z
    .string()
    .nullable()
    .describe("the planned time of the next message; `next` is when it is really sent"),
  at_text: z.string().describe("the last requested time, as it was typed"),
  curve_is: curveView.describe("how far apart it is sent"),
  counted_from: z
    .string()
    .nullable()
    .describe("what its next time was counted from; null: a person requested that time"),
  zone: z.string(),
  closed: z
    .array(z.string())
    .describe("hours in which it is not sent: the curve's sleep and the owner's quiet hours"),
  moved_to_opening: z.boolean().describe("true: the planned time was in closed hours"),
  moved_to_own_minute: z
    .boolean()
    .describe("true: another nag of the owner is due in the planned minute"),
  saying: z.string().nullable().describe("the notification that is sending it now"),
  last_said: z.string().nullable().describe("the last notification that was delivered"),
});
type View = z.output<typeof view>;

export const explainNag = explainPart({
  key: "nag",
  kind: nagKind,
  view,
  nullMeaning: "null: the record is not a nag",
  build,
  cause: {
    schema: z.object({ title: z.string(), curve: z.string() }),
    state: stateOf,
    async build(record) {
      return { title: titleOf(record), curve: record.body.curveName };
    },
    lines: ({ title, curve }, { id, state }, { language }) => [
      textsOf(language).nagAsCause({ what: oneLine(title, 100), curve, state, id }),
    ],
  },
  lines: {
    headline: ({ state, target }, head, { language }) =>
      textsOf(language).headline({ ...head, state, target }),
    message: ({ title }) => title,
    request: ({ origin, target_because }) => ({ origin, target_because }),
    time,
    rules: (nag, _story, { reader }) => rules(nag, reader),
    hasAttempts: false, // its notifications show the attempts
    sent,
    next,
  },
});

async function build(record: Nag, { context }: Subject): Promise<View> {
  const { body, outcome, priority } = record;
  const { profile } = context;
  const zone = body.zone ?? profile.zone;
  const quiet = priority === "high" ? null : profile.quiet;
  return {
    ...(await viewNag(bookOf(context), record, await outlookOf(context))),
    origin: body.origin,
    planned_at: isoOr(nextOf(record)),
    at_text: body.atText,
    curve_is: present(body.curve),
    counted_from: isoOr(outcome?.counted?.from),
    zone,
    closed: [body.curve.sleep, quiet].flatMap((each) => (each ? [`${each.from}-${each.to}`] : [])),
    ...movesOf(record, { zone, quiet }),
    saying: outcome?.saying ?? null,
    last_said: outcome?.lastDelivered ?? null,
  };
}

/**
 * What moved a computed time. A time with jitter cannot be computed again. A difference of less than a minute is only
 * the delay until the controller computed it.
 */
function movesOf(
  { body, outcome }: Nag,
  { zone, quiet }: { zone: string; quiet: Quiet | null },
): Pick<View, "moved_to_opening" | "moved_to_own_minute"> {
  const { counted = null, nextAt = null, failures = 0 } = outcome ?? {};
  const { sleep: _, weekdays: _days, ...open } = body.curve;
  if (counted === null || nextAt === null || failures > 0 || (open.jitter ?? 0) > 0) {
    return { moved_to_opening: false, moved_to_own_minute: false };
  }
  const { from, number: count } = counted;
  const planned = (curve: Curve, hours: Quiet | null): number =>
    timeAfter({ curve, count, from, now: from, zone, quiet: hours, chance: 0 });
  const at = planned(body.curve, quiet);
  return {
    moved_to_opening: planned(open, null) !== at,
    moved_to_own_minute: nextAt - at >= minuteMs,
  };
}

/** The number of the next message, its time, and the origin of that time. */
function time(nag: View, reader: Reader): string[] {
  const {
    planned_at: planned,
    sent_count: number,
    counted_from: from,
    zone,
    at_text: atText,
  } = nag;
  if (planned === null) return [];
  const texts = textsOf(reader.language);
  const when = `${localTime(planned, { ...reader, zone })} ${zone}`;
  if (from === null) return [texts.requestedTime({ number, when, atText: quote(atText) })];
  const start = localTime(from, { ...reader, zone });
  return [texts.computedTime({ number, when, from: start, zone })];
}

function rules(nag: View, { language }: Reader): string[] {
  const { curve, moved_to_opening: isMoved, failures: count } = nag;
  const texts = textsOf(language);
  const lines = [`${curve}: ${texts.curve(nag.curve_is)}`];
  if (isMoved) lines.push(texts.movedToOpenTime(nag.closed.join(", ")));
  if (nag.moved_to_own_minute) lines.push(texts.movedToFreeMinute());
  if (nag.reason !== null) {
    const reason = oneLine(nag.reason, charsMax);
    lines.push(count === 0 ? reason : texts.sendFailed({ count, reason }));
  }
  return lines;
}

function sent(nag: View, { language }: Reader): string[] {
  const { said: count, last_said: id, last_notification_id: receipt } = nag;
  const texts = textsOf(language);
  const last =
    id === null ? [] : [texts.lastSentBy({ id, receipt: receipt === id ? null : receipt })];
  return [[texts.sentTimes(count), ...last].join(", ")];
}

/** What it waits for; undefined when that is only its wake time. */
function next(nag: View, _waits: WaitView, { now, zone, language }: Reader): string | undefined {
  const { id, state, next: due, saying, sent_count: number } = nag;
  const texts = textsOf(language);
  if (state === "done") return texts.endsAsDone();
  if (state === "paused") return texts.waitsForResume(id);
  if (saying !== null) return texts.sendingBy({ id: saying, number });
  const at = due === null ? null : fromIso(due.utc);
  if (at === null || at <= now) return undefined;
  const far = distance(at - now, language);
  const comes = texts.comes({ when: inWords(at, zone, language), far, isParked: false });
  return nag.waiting === null ? comes : `${comes}: ${nag.waiting.text}`;
}
