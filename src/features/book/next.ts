import * as z from "zod";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { operation } from "../../kernel/operation.ts";
import { bookOf } from "../../kernel/own-book.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { hasCode } from "../../platform/errors.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords, parseTime } from "../../time/times.ts";
import { dueOf, dueView, lookOf, type Look } from "../accounts/moment-view.ts";
import { comingNags } from "../nags/operations/upcoming.ts";
import { nagView, shownNag } from "../nags/operations/view.ts";
import { type NotificationKind, notificationKind } from "../notifications/kind.ts";
import { fields } from "../notifications/operations/fields.ts";
import { notificationView, shown } from "../notifications/operations/view.ts";
import { comingRun, comingRuns } from "../schedules/operations/upcoming.ts";
import { textsOf } from "../texts/texts.ts";
import { pauseView, restingFor, restLines } from "./pauses.ts";

const input = z.strictObject({
  within: z.string().default("7d").describe('how far to look, such as "24h", "7d" or "friday"'),
  limit: fields.limit,
});

const output = z.object({
  notifications: z.array(notificationView),
  runs: z.array(comingRun),
  nags: z.array(nagView).describe("what is said until it is done, each once: when it is said next"),
  until: dueView,
  cut: z.boolean().describe("more of it is in the book than is shown"),
  resting: z.array(pauseView).optional().describe("what is paused, if anything is"),
});

/** So many are looked through at most. */
const liveMax = 10_000;

export const next = operation({
  name: "next",
  words: "Show what will happen, in order of time.",
  input,
  output,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/next" },
  command: { name: "next", positionals: ["within"] },
  tool: "on request",
  async run({ within, limit }, context): Promise<z.infer<typeof output>> {
    const look = lookOf(context);
    const until = readWithin(within, look);
    const book = bookOf(context);
    const { records, isCut } = await live(book);
    const said = records
      .filter(({ body }) => body.type !== "mark" && body.change === undefined)
      .map((record) => ({ record, at: happensAt(record, look.now) }))
      .filter(({ at }) => at <= until)
      .toSorted((a, b) => a.at - b.at || (a.record.id < b.record.id ? -1 : 1));
    const runs = await comingRuns(book, look, { until, limit });
    const nags = await comingNags(book, until);
    const coming = [...said, ...runs, ...nags].toSorted((a, b) => a.at - b.at);
    const first = coming.slice(0, limit);
    const resting = await restingFor(context);
    return {
      ...(resting.length === 0 ? {} : { resting }),
      notifications: first.flatMap((one) => ("record" in one ? [shown(one.record, look)] : [])),
      runs: first.flatMap((one) => ("run" in one ? [one.run] : [])),
      nags: await Promise.all(
        first.flatMap((one) => ("nag" in one ? [shownNag(book, one.nag, look)] : [])),
      ),
      until: dueOf(until, look),
      cut: isCut || coming.length > limit,
    };
  },
  say({ notifications, runs, nags, until, cut, resting = [] }, reader) {
    const { language, zone } = reader;
    const texts = textsOf(language);
    const rests = restLines(resting, reader);
    const lines = [
      ...notifications.map(({ id, due, message, target, next_at: at }) => {
        return { at: at ?? due.utc, due, text: message, target, id };
      }),
      ...runs.map(({ name, due, target, run_id: run, schedule_id: schedule }) => {
        return { at: due.utc, due, text: `▸ ${name}`, target, id: run ?? schedule ?? "" };
      }),
      ...nags.flatMap(({ title, next: due, target, id }) =>
        due === null ? [] : [{ at: due.utc, due, text: `↻ ${title}`, target, id }],
      ),
    ];
    if (lines.length === 0 && !cut) return [...rests, texts.nothingUntil(until.text)].join("\n");
    const inOrder = lines.toSorted((a, b) => fromIso(a.at) - fromIso(b.at));
    const said = inOrder.map(({ id, due, text, target }) => {
      const when = inWords(fromIso(due.utc), zone, language);
      return `${when}  ${oneLine(text, 60)} → ${target}  ${id}`;
    });
    return [...rests, ...said, ...(cut ? [texts.notAll()] : [])].join("\n");
  },
});

/** A length from now, or else a moment. */
function readWithin(text: string, look: Look): number {
  try {
    return parseTime(`+${text}`, look).at;
  } catch (error) {
    if (!hasCode(error, "invalid")) throw error;
    return parseTime(text, look).at;
  }
}

/** What is being sent happens now; what waits for nothing never does. */
function happensAt({ lease, wakeAt }: LedgerRecord, now: number): number {
  return lease === null ? (wakeAt ?? Infinity) : Math.min(now, wakeAt ?? now);
}

/** The ledger lists by order of asking: what comes first is known when all have been seen. */
async function live(
  book: Book,
): Promise<{ records: LedgerRecord<NotificationKind>[]; isCut: boolean }> {
  const query = { kind: notificationKind, live: true } as const;
  const records = await Array.fromAsync(recordsIn(book, query, liveMax + 1));
  return { records, isCut: records.length > liveMax };
}
