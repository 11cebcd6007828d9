import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { cut } from "../../../platform/text.ts";
import { textsOf } from "../texts.ts";
import { changedSince, momentOf, positionOf } from "./feed-position.ts";
import { planPush, wrong, type PushPlan } from "./push-plan.ts";
import { readPushedRecords } from "./pushed-records.ts";
import { changesIn, type ChangesIn } from "./rows.ts";
import { writeUnit } from "./unit.ts";

/** A push is one unit, in which a row may take three changes. */
const rowsMax = 3_000;
/** The nag controller writes the same records and may win the race more than once. */
const triesMax = 20;

const output = z.object({
  written: z.number().describe("how many records were created or changed"),
  ignored: z
    .array(z.string())
    .describe("the fields that only the server sets, which were sent and ignored"),
});

export const syncPush = operation({
  name: "sync_push",
  summary: "Push the pages and nags that a client changed while it was offline.",
  input: z.strictObject({
    changes: changesIn.describe(
      "the tables page and alarm, each with created, updated (rows) and deleted (ids), as JSON",
    ),
    last_pulled_at: z
      .number()
      .int()
      .min(0)
      .nullish()
      .describe(
        "`timestamp` of the last pull. Records that changed since then are not overwritten",
      ),
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
    const written = await retryIfStale(async () => {
      const plan = await planPush({
        changes,
        context,
        pushed: await readPushedRecords(changes, context),
      });
      stale = await staleIn(plan, seen ?? 0, context);
      if (stale !== undefined) return 0;
      await writeUnit(bookOf(context), plan.unit);
      return plan.unit.create.length + plan.changed.size;
    }, triesMax);
    if (stale !== undefined) throw stale;
    return { written, ignored: ignoredIn(changes) };
  },
  render: ({ written }, { language }) => textsOf(language).pushed(written),
});

/** Some clients send the tables without `changes` around them. */
function wrapped(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { changes, last_pulled_at: seen, ...tables } = given;
  if (changes !== undefined || !("page" in tables || "alarm" in tables)) return given;
  return present({ changes: tables, last_pulled_at: seen });
}

function checkRows({ page, alarm }: ChangesIn): void {
  const count = checkTable("page", page) + checkTable("alarm", alarm);
  if (count <= rowsMax) return;
  const sentence = `The push has ${count} records, over the limit of ${rowsMax}: push them in parts.`;
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
      throw wrong(`changes.${table}.${path}`, "occurs twice: send each record once");
    }
    ids.add(id);
  }
  return all.length;
}

/** Refuses to overwrite changes that the client has not pulled. */
async function staleIn(
  { changed }: PushPlan,
  seen: number,
  context: Context,
): Promise<DaybookError | undefined> {
  if (changed.size === 0) return undefined;
  const position = positionOf(seen);
  const since = position && (await changedSince(bookOf(context), position));
  const isUnseen = (id: string, at: number): boolean =>
    since === undefined ? at > momentOf(seen) : since.changed.has(id);
  const unseen = [...changed].filter(([, { id, updatedAt }]) => isUnseen(id, updatedAt));
  if (unseen.length === 0) return undefined;
  const paths = unseen.map(([path]) => path).slice(0, 20);
  const sentence = `${paths[0]} was changed since your last pull: pull first, then push again.`;
  return new DaybookError("stale", sentence, { details: { paths } });
}

const namesMax = 100;
const pageNames = ["id", "title", "body"];
const alarmNames = ["id", "page_id"];

/** Clients send full rows, with fields that only the server sets: those are ignored. */
function ignoredIn({ page, alarm, ...others }: ChangesIn): string[] {
  const names = new Set(Object.keys(others));
  const collect = (table: string, rows: readonly object[], known: readonly string[]): void => {
    for (const name of rows.flatMap((row) => Object.keys(row))) {
      if (!known.includes(name) && !name.startsWith("_")) names.add(`${table}.${name}`);
    }
  };
  collect("page", [...page.created, ...page.updated], pageNames);
  collect("alarm", [...alarm.created, ...alarm.updated], alarmNames);
  return [...names]
    .slice(0, namesMax)
    .map((name) => cut(name, 100))
    .toSorted();
}
