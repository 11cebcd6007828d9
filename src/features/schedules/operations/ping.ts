import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { type Installation, operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOr } from "../../../platform/iso-time.ts";
import type { NoticeReader } from "../../notifications/index.ts";
import { type ScheduleKind, scheduleKind } from "../kind.ts";
import { isPingSecret, readPingToken } from "../ping-token.ts";
import { ended, endOf, started, type Ping } from "../ping.ts";
import { textsOf } from "../texts.ts";
import { isWatch } from "../watch.ts";
import { findLive } from "./find-schedule.ts";
import { scheduleId } from "./inputs.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** More than is kept, so that a long output is cut instead of refused. */
const outputCharsMax = 200_000;
/** Many pings may come at once. */
const triesMax = 30;

export const pingWatch = operation({
  name: "ping_watch",
  summary: "Report that a watched job started or ended.",
  input: z.strictObject({
    id: scheduleId,
    start: z.boolean().optional().describe("the job has started. Default: it has ended"),
    exit: z.coerce
      .number()
      .int()
      .min(0)
      .max(255)
      .default(0)
      .describe("its exit status. Default: 0"),
    output: z
      .string()
      .max(outputCharsMax)
      .optional()
      .describe("its output, of which the end is kept"),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    state: z.enum(["started", "completed", "failed"]),
    run_id: z.string().nullable(),
    expected_at: z.string().nullable().describe("when the next ping is expected"),
  }),
  effect: "adds",
  example: { id: "backup", start: true },
  route: { method: "POST", path: "/v1/watches/{id}/ping" },
  command: { name: "ping", positionals: ["id"] },
  tool: "never", // a job reports by its URL or by `wrap`, and no agent on its behalf
  async run({ id: which, start = false, exit, output: text = "" }, context) {
    const book = bookOf(context);
    const find = async (): Promise<Schedule> => checked(await findLive(book, which));
    const { record, runId } = await receive(book, find, {
      ping: start ? "start" : { exit, ...endOf(Buffer.from(text)) },
      reader: context.profile,
      now: context.now,
    });
    const state = start ? "started" : exit === 0 ? "completed" : "failed";
    const { id, body, outcome } = record;
    const expected = isoOr(outcome?.nextRunAt);
    return { id, name: body.name, state, run_id: runId, expected_at: expected };
  },
  render: ({ name, state }, { language }) => textsOf(language).pingReceived({ name, state }),
});

/** A watch's URL gives the right to ping it, and no other. False: there is no such watch. */
export async function pingByToken(
  { ledger, readProfile, now }: Pick<Installation, "ledger" | "readProfile" | "now">,
  token: string,
  ping: Ping | "start",
): Promise<boolean> {
  const read = readPingToken(token);
  if (read === undefined) return false;
  const book = ledger.of(read.owner, "ping");
  const find = async (): Promise<Schedule | undefined> => {
    const record = await book.get(read.id);
    if (!is(scheduleKind, record) || record.endedAt !== null || record.cancelling) return undefined;
    const { run } = record.body;
    return "ping" in run && isPingSecret(read.secret, run.ping) ? record : undefined;
  };
  if ((await find()) === undefined) return false;
  const reader = await readProfile(read.owner);
  const findAgain = async (): Promise<Schedule> => {
    const record = await find();
    if (record !== undefined) return record;
    throw new DaybookError("not_found", "The watch was deleted while it was pinged.");
  };
  await receive(book, findAgain, { ping, reader, now });
  return true;
}

interface Received {
  ping: Ping | "start";
  reader: NoticeReader;
  now(): number;
}

/** Writes the run's row and the change of the watch in one unit. */
async function receive(
  book: Book,
  find: () => Promise<Schedule>,
  { ping, reader, now }: Received,
): Promise<{ record: Schedule; runId: string | null }> {
  return retryIfStale(async () => {
    const record = await find();
    if (ping === "start") return { record: await book.edit(started(record, now())), runId: null };
    const { runId, edit, append } = ended(record, ping, reader, now());
    return { record: await book.edit(edit, { append }), runId };
  }, triesMax);
}

function checked(record: Schedule): Schedule {
  if (isWatch(record)) return record;
  throw new DaybookError(
    "refused",
    "This schedule is not a watch and takes no pings: see daybook run list.",
  );
}
