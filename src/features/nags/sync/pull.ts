import * as z from "zod";
import { is, type Kind } from "../../../kernel/kind.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { isOver, nagKind } from "../kind.ts";
import { pageKind } from "../page.ts";
import { textsOf } from "../texts.ts";
import { alarmIdOf } from "./alarm.ts";
import {
  changedSince,
  endOf,
  positionOf,
  timestampOf,
  type FeedPosition,
} from "./feed-position.ts";
import { alarmRow, changesOut, pageRow, type ChangesOut } from "./rows.ts";

const output = z.object({
  changes: changesOut,
  timestamp: z.number().describe("what to send as `since` the next time"),
  experimentalStrategy: z
    .literal("replacement")
    .exactOptional()
    .describe("these are all there are: what the client has besides is gone"),
});
type Output = z.infer<typeof output>;

export const syncPull = operation({
  name: "sync_pull",
  summary: "Show which pages, and what is said of them, changed since a client looked.",
  input: z.strictObject({
    since: z
      .union([z.coerce.number().int().min(0), z.literal(["null", ""])])
      .optional()
      .describe("`timestamp` of the answer before; everything when absent"),
  }),
  output,
  aliases: { lastPulledAt: "since", last_pulled_at: "since" },
  ignored: ["schemaVersion", "schema_version", "migration"],
  example: {},
  route: { method: "GET", path: "/v1/sync/pull" },
  command: { name: "sync pull", positionals: ["since"] },
  tool: "never",
  async run({ since }, context): Promise<Output> {
    const timestamp = typeof since === "number" && since > 0 ? since : undefined;
    if (timestamp === undefined) return pullAll(context, "first");
    const place = positionOf(timestamp);
    const news = place && (await pullChanges(context, place));
    return news ?? pullAll(context, "again");
  },
  render({ changes: { page, alarm }, timestamp }, { language }) {
    const count = (table: ChangesOut["page" | "alarm"]): number =>
      table.created.length + table.updated.length + table.deleted.length;
    return textsOf(language).pulled({ pages: count(page), alarms: count(alarm), timestamp });
  },
});

async function pullChanges(context: Context, place: FeedPosition): Promise<Output | undefined> {
  const book = bookOf(context);
  const since = await changedSince(book, place);
  if (since === undefined) return undefined;
  const changes = nothing();
  const found = await Promise.all([...since.changed.keys()].map((id) => book.get(id)));
  for (const record of found) {
    if (record === undefined) continue; // forgotten meanwhile: it had ended long before
    // A client that hears of its own as `created` would make it anew, though it deleted it by now.
    const isNew = (since.changed.get(record.id)?.isNew ?? false) && record.by !== context.by;
    put(changes, record, isNew ? "created" : "updated");
  }
  return { changes, timestamp: timestampOf(since.position) };
}

/** All there is. Where the feed ended is read first: what is written meanwhile is told once more the next time. */
async function pullAll(context: Context, when: "first" | "again"): Promise<Output> {
  const book = bookOf(context);
  const timestamp = timestampOf(await endOf(book));
  const changes = nothing();
  const as = when === "first" ? "created" : "updated";
  for (const kind of [pageKind, nagKind] as readonly Kind[]) {
    for await (const record of recordsIn(book, { kind, live: true })) put(changes, record, as);
  }
  if (when === "again") return { changes, timestamp, experimentalStrategy: "replacement" };
  changes.page.deleted = [];
  changes.alarm.deleted = [];
  return { changes, timestamp };
}

function nothing(): ChangesOut {
  return {
    page: { created: [], updated: [], deleted: [] },
    alarm: { created: [], updated: [], deleted: [] },
  };
}

function put({ page, alarm }: ChangesOut, record: AnyRecord, list: "created" | "updated"): void {
  if (is(pageKind, record)) {
    if (record.state === "kept") page[list].push(pageRow(record));
    else page.deleted.push(record.body.pageId);
  }
  if (is(nagKind, record)) {
    const row = alarmRow(record);
    if (row !== undefined && isOver(record)) alarm.deleted.push(alarmIdOf(record));
    else if (row !== undefined) alarm[list].push(row);
  }
}
