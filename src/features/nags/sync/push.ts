import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { cut } from "../../../platform/text.ts";
import { textsOf } from "../texts.ts";
import { changedSince, momentOf, positionOf } from "./feed-position.ts";
import { planPush, wrong, type PushPlan } from "./plan.ts";
import { readPushedRecords } from "./pushed-records.ts";
import { changesIn, type ChangesIn } from "./rows.ts";
import { writeUnit } from "./unit.ts";

/** A push is one unit, and a row of it may be as many as three changes there. */
const rowsMax = 3_000;
/** What is said of a page is written by its controller too, which may come between more than once. */
const triesMax = 20;

const output = z.object({
  written: z.number().describe("records that were made or changed"),
  ignored: z.array(z.string()).describe("what was sent and is not the client's to say"),
});

export const syncPush = operation({
  name: "sync_push",
  summary: "Take over what a client changed while it was away: pages, and what is said of them.",
  input: z.strictObject({
    changes: changesIn.describe(
      "page and alarm, each with created, updated (rows) and deleted (ids), as JSON",
    ),
    last_pulled_at: z
      .number()
      .int()
      .min(0)
      .nullish()
      .describe("`timestamp` of the newest pull: what changed since then is not overwritten"),
  }),
  output,
  aliases: { lastPulledAt: "last_pulled_at" },
  ignored: ["schemaVersion", "schema_version", "migration"],
  adapt: wrapped,
  example: {
    changes: {
      page: { created: [{ id: "trip", title: "Trip to Busan", body: "Book the hotel" }] },
      alarm: { created: [{ id: "a1", page_id: "trip", sent_count: 0 }] },
    },
  },
  route: { method: "POST", path: "/v1/sync/push", bodyBytesMax: 8 * 1024 * 1024 },
  command: { name: "sync push", positionals: ["changes"], file: "changes" },
  tool: "never",
  async run({ changes, last_pulled_at: seen }, context) {
    checkRows(changes);
    let stale: DaybookError | undefined;
    const written = await untilFresh(async () => {
      const plan = await planPush({
        changes,
        context,
        pushed: await readPushedRecords(changes, context),
      });
      stale = await staleIn(plan, seen ?? 0, context);
      if (stale !== undefined) return 0;
      await writeUnit(bookOf(context), plan.unit);
      return plan.unit.make.length + plan.changed.size;
    }, triesMax);
    if (stale !== undefined) throw stale;
    return { written, ignored: ignoredIn(changes) };
  },
  render: ({ written }, { language }) => textsOf(language).pushed(written),
});

/** The tables may stand alone, as some clients send them. */
function wrapped(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { changes, last_pulled_at: seen, ...tables } = given;
  if (changes !== undefined || !("page" in tables || "alarm" in tables)) return given;
  return present({ changes: tables, last_pulled_at: seen });
}

function checkRows({ page, alarm }: ChangesIn): void {
  const count = checkTable("page", page) + checkTable("alarm", alarm);
  if (count <= rowsMax) return;
  const sentence = `A push of ${count} records is too large: send at most ${rowsMax} at once.`;
  throw new DaybookError("too_large", sentence, { details: { max: rowsMax } });
}

function checkTable(table: string, rows: ChangesIn["page"] | ChangesIn["alarm"]): number {
  const ids = new Set<string>();
  const lists = ["created", "updated", "deleted"] as const;
  const all = lists.flatMap((list) =>
    [...rows[list].entries()].map(([index, row]) => ({ path: `${list}.${index}`, row })),
  );
  for (const { path, row } of all) {
    const id = typeof row === "string" ? row : row.id;
    if (ids.has(id)) {
      throw wrong(`changes.${table}.${path}`, "is there twice: send each record once");
    }
    ids.add(id);
  }
  return all.length;
}

/** What somebody else changed since the client looked is not overwritten unseen. */
async function staleIn(
  { changed }: PushPlan,
  seen: number,
  context: Context,
): Promise<DaybookError | undefined> {
  if (changed.size === 0) return undefined;
  const place = positionOf(seen);
  const since = place && (await changedSince(bookOf(context), place));
  const isNews = (id: string, at: number): boolean =>
    since === undefined ? at > momentOf(seen) : since.changed.has(id);
  const paths = [...changed].filter(([, { id, updatedAt }]) => isNews(id, updatedAt));
  if (paths.length === 0) return undefined;
  const places = paths.map(([path]) => path);
  const sentence = "These were changed since the last pull: pull first, then push again.";
  return new DaybookError("stale", sentence, { details: { paths: places.slice(0, 20) } });
}

const namesMax = 100;
const pageNames = ["id", "title", "body"];
const alarmNames = ["id", "page_id"];

/** Whole rows are sent, with what is the server's own: it is not written, whatever it says. */
function ignoredIn({ page, alarm, ...others }: ChangesIn): string[] {
  const names = new Set(Object.keys(others));
  const look = (table: string, rows: readonly object[], known: readonly string[]): void => {
    for (const name of rows.flatMap((row) => Object.keys(row))) {
      if (!known.includes(name) && !name.startsWith("_")) names.add(`${table}.${name}`);
    }
  };
  look("page", [...page.created, ...page.updated], pageNames);
  look("alarm", [...alarm.created, ...alarm.updated], alarmNames);
  return [...names]
    .slice(0, namesMax)
    .map((name) => cut(name, 100))
    .toSorted();
}
