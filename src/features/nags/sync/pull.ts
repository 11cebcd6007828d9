import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { is, type Kind } from "../../../kernel/kind.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { hasEnded, nagKind } from "../kind.ts";
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
  timestamp: z.number().describe("send it as `since` with the next pull"),
  experimentalStrategy: z
    .literal("replacement")
    .exactOptional()
    .describe("the answer has all records: the client deletes the ones that are not in it"),
});
type Output = z.infer<typeof output>;

export const syncPull = operation({
  name: "sync_pull",
  summary: "Pull the pages and nags that changed since the client's last pull.",
  input: z.strictObject({
    since: z
      .union([z.coerce.number().int().min(0), z.literal(["null", ""])])
      .optional()
      .describe("`timestamp` of the last pull. Default: pull everything"),
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
    const position = positionOf(timestamp);
    const changes = position && (await pullChanges(context, position));
    return changes ?? pullAll(context, "again");
  },
  render({ changes: { page, alarm }, timestamp }, { language }) {
    const count = (table: ChangesOut["page" | "alarm"]): number =>
      table.created.length + table.updated.length + table.deleted.length;
    return textsOf(language).pulled({ pages: count(page), alarms: count(alarm), timestamp });
  },
});

async function pullChanges(context: Context, position: FeedPosition): Promise<Output | undefined> {
  const book = bookOf(context);
  const since = await changedSince(book, position);
  if (since === undefined) return undefined;
  const changes = noChanges();
  const found = await Promise.all([...since.changed.keys()].map((id) => book.get(id)));
  for (const record of found) {
    if (record === undefined) continue; // pruned in between: it ended long ago
    // A client would create its own record again, though it may have deleted it since.
    const isNew = (since.changed.get(record.id)?.isNew ?? false) && record.by !== context.by;
    put(changes, record, isNew ? "created" : "updated");
  }
  return { changes, timestamp: timestampOf(since.position) };
}

/** All records. The end of the feed is read first, so that writes in between are pulled again the next time. */
async function pullAll(context: Context, when: "first" | "again"): Promise<Output> {
  const book = bookOf(context);
  const timestamp = timestampOf(await endOf(book));
  const changes = noChanges();
  const list = when === "first" ? "created" : "updated";
  for (const kind of [pageKind, nagKind] as readonly Kind[]) {
    for await (const record of recordsIn(book, { kind, live: true })) put(changes, record, list);
  }
  if (when === "again") return { changes, timestamp, experimentalStrategy: "replacement" };
  changes.page.deleted = [];
  changes.alarm.deleted = [];
  return { changes, timestamp };
}

function noChanges(): ChangesOut {
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
    if (row !== undefined && hasEnded(record)) alarm.deleted.push(alarmIdOf(record));
    else if (row !== undefined) alarm[list].push(row);
  }
}
