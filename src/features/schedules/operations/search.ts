import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { renderList, type Column } from "../../../kernel/list-table.ts";
import { operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import {
  idColumn,
  nameColumn,
  noteColumn,
  stateColumn,
  textColumn,
  timeColumns,
} from "../../accounts/index.ts";
import { fields, outlookOf } from "../../notifications/index.ts";
import type { ScheduleKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { schedulesIn } from "./find-schedule.ts";
import { lineOf, scheduleLine, type ScheduleLine } from "./view.ts";

const input = z.strictObject({
  name: z.string().optional().describe("only schedules with this text in their name"),
  status: scheduleLine.shape.status.optional().describe("only schedules in this state"),
  cadence_type: scheduleLine.shape.cadence.shape.type
    .optional()
    .describe("only schedules with this type of cadence"),
  notify: scheduleLine.shape.notify
    .optional()
    .describe("only schedules with this `notify` setting"),
  all: fields.all,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(20)
    .describe("how many to list, at most 50. Default: 20"),
  after: fields.after,
});
type Input = z.infer<typeof input>;

const columns: readonly Column<ScheduleLine>[] = [
  idColumn(({ id }) => id),
  stateColumn(({ status }) => status),
  ...timeColumns<ScheduleLine>("next", (line) => line.ended_at ?? line.next_run_at),
  nameColumn("name", ({ name }) => name),
  textColumn("cadence", ({ when }) => when),
  nameColumn("target", ({ target }) => target),
  noteColumn(({ waiting, reason, consecutive_failures: failures, ...line }, { language }) => {
    const texts = textsOf(language);
    if (waiting !== null) return waiting.text;
    if (reason !== null) return texts.reason(reason);
    const { undelivered_runs: undelivered } = line;
    if (undelivered > 0) return `⚠ ${texts.undelivered(undelivered)}`;
    return failures === 0 ? null : texts.lastFailures(failures);
  }),
];

const page = z.object({
  schedules: z.array(scheduleLine),
  total: z.number().describe("how many match in total"),
  remaining: z.number().describe("how many follow after this page"),
  next: z.string().nullable().describe("the `after` of the next page; null on the last page"),
});

export const searchSchedules = operation({
  name: "schedule_search",
  summary: "List schedules, the next to run first.",
  input,
  output: page,
  aliases: { name_contains: "name", notification: "notify", notification_policy: "notify" },
  example: { name: "report" },
  route: { method: "GET", path: "/v1/schedules" },
  command: { name: "schedule list", aliases: ["schedules"], positionals: ["name"] },
  tool: "always",
  async run(request, context) {
    const { status: state, all, limit, after } = request;
    const live = state === undefined && !all ? true : undefined;
    const read = await schedulesIn(bookOf(context), { live, state, order: "newest" });
    const found = read.filter((record) => matches(record, request)).toSorted(nextFirst);
    const rest = after === undefined ? found : found.slice(positionOf(after, found) + 1);
    const page = rest.slice(0, limit);
    const remaining = rest.length - page.length;
    const options = await outlookOf(context);
    return {
      schedules: page.map((record) => lineOf(record, options)),
      total: found.length,
      remaining,
      next: remaining === 0 ? null : (page.at(-1)?.id ?? null),
    };
  },
  render({ schedules, total, next }, reader) {
    const { noSchedules: empty, more, ofAll } = textsOf(reader.language);
    const count = ofAll({ count: schedules.length, total });
    const texts = { next, empty, more: (cursor: string) => `${count}\n${more(cursor)}` };
    return renderList(columns, schedules, reader, texts);
  },
});

function matches(
  { body }: LedgerRecord<ScheduleKind>,
  { name = "", cadence_type: type, notify }: Input,
): boolean {
  return (
    body.name.toLowerCase().includes(name.toLowerCase()) &&
    (type ?? body.cadence.type) === body.cadence.type &&
    (notify ?? body.notify) === body.notify
  );
}

/** After every time that a calendar has. */
const never = 8.64e15;

/** The next to run first, then those that will not, then those that have ended; the newest first among each. */
function nextFirst(one: LedgerRecord<ScheduleKind>, other: LedgerRecord<ScheduleKind>): number {
  return positionIn(one) - positionIn(other) || other.createdAt - one.createdAt;
}

function positionIn({ endedAt, state, outcome }: LedgerRecord<ScheduleKind>): number {
  if (endedAt !== null) return never + 1;
  return state === "active" ? (outcome?.nextRunAt ?? never) : never;
}

function positionOf(id: string, found: readonly LedgerRecord<ScheduleKind>[]): number {
  const at = found.findIndex((record) => record.id === id);
  if (at !== -1) return at;
  throw new DaybookError(
    "invalid",
    `There is no schedule ${quote(id)} on the previous page any more: start with the first page.`,
  );
}
