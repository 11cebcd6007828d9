import * as z from "zod";
import { hasCode } from "../base/errors.ts";
import type { Book } from "../ledger/ledger.ts";
import type { Page } from "../ledger/reading.ts";
import type { LedgerRecord } from "../rules/record.ts";
import { oneLine } from "../rules/text.ts";
import { textsOf } from "../rules/texts/texts.ts";
import { inWords, parseTime } from "../rules/times.ts";
import { fields } from "./fields.ts";
import {
  dueOf,
  dueView,
  fromIso,
  lookOf,
  notificationView,
  shown,
  type Look,
} from "./notification-view.ts";
import { operation } from "./operation.ts";
import { bookOf } from "./own-book.ts";

const input = z.strictObject({
  within: z.string().default("7d").describe('how far to look, such as "24h", "7d" or "friday"'),
  limit: fields.limit,
});

const output = z.object({
  notifications: z.array(notificationView),
  until: dueView,
  cut: z.boolean().describe("more of it is in the book than is shown"),
});

const pageSize = 500;
const pagesMax = 20;

export const next = operation({
  name: "next",
  words: "Show what will happen, in order of time.",
  input,
  output,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/next" },
  command: { name: "next", positionals: ["within"] },
  tool: "always",
  async run({ within, limit }, context) {
    const look = lookOf(context);
    const until = readWithin(within, look);
    const { records, isCut } = await live(bookOf(context));
    const coming = records
      .map((record) => ({ record, at: happensAt(record, look.now) }))
      .filter(({ at }) => at <= until)
      .toSorted((a, b) => a.at - b.at || (a.record.id < b.record.id ? -1 : 1));
    return {
      notifications: coming.slice(0, limit).map(({ record }) => shown(record, look)),
      until: dueOf(until, look),
      cut: isCut || coming.length > limit,
    };
  },
  say({ notifications, until, cut }, { language, zone }) {
    const texts = textsOf(language);
    if (notifications.length === 0 && !cut) return texts.nothingUntil(until.text);
    const lines = notifications.map(({ id, due, message, target }) => {
      const when = inWords(fromIso(due.utc), zone, language);
      return `${when}  ${oneLine(message, 60)} → ${target}  ${id}`;
    });
    return [...lines, ...(cut ? [texts.notAll()] : [])].join("\n");
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
): Promise<{ records: LedgerRecord<"notification">[]; isCut: boolean }> {
  const records: LedgerRecord<"notification">[] = [];
  const query = { kind: "notification", live: true, limit: pageSize } as const;
  let after: string | null = "";
  for (let page = 0; page < pagesMax && after !== null; page += 1) {
    const read: Page = await book.list(after === "" ? query : { ...query, after });
    records.push(...read.records.filter((record) => record.kind === "notification"));
    after = read.next;
  }
  return { records, isCut: after !== null };
}
