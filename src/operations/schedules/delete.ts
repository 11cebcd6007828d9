import * as z from "zod";
import type { Book } from "../../ledger/ledger.ts";
import { textsOf } from "../../rules/texts/texts.ts";
import { operation } from "../operation.ts";
import { bookOf } from "../own-book.ts";
import { findSchedule } from "./find-schedule.ts";
import { scheduleId } from "./inputs.ts";
import { scheduleAliases } from "./seed-names.ts";

const output = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  deleted: z.boolean().describe("false: it had ended before"),
});

const waitingMax = 500;

export const deleteSchedule = operation({
  name: "schedule_delete",
  words: "Run something no more. What is running goes on, and all that ran stays in the book.",
  input: z.strictObject({
    id: scheduleId,
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  scope: "write",
  effect: "ends",
  route: { method: "DELETE", path: "/v1/schedules/{id}" },
  command: { name: "schedule delete", positionals: ["id"] },
  tool: "always",
  async run({ id: which, reason }, context) {
    const book = bookOf(context);
    const { id, body, endedAt, state } = await findSchedule(book, which);
    const { name } = body;
    if (endedAt !== null) return { id, name, status: state, deleted: false };
    const why = reason === undefined ? {} : { reason };
    const cancel = (await waitingRuns(book, id)).map((run) => ({
      id: run,
      reason: "its schedule was deleted",
    }));
    const { result, record } = await book.cancel({ id, ...why }, { cancel });
    return { id, name, status: record.state, deleted: result !== "ended" };
  },
  say({ name, deleted, status: state }, { language }) {
    const texts = textsOf(language);
    return deleted ? texts.scheduleDeleted(name) : texts.scheduleGone({ name, state });
  },
});

/** Its runs that nobody has begun: they wait for their turn. */
async function waitingRuns(book: Book, parent: string): Promise<readonly string[]> {
  const query = { kind: "task", parent, live: true, limit: waitingMax } as const;
  const { records } = await book.list(query);
  return records
    .filter(({ kind, lease, state }) => kind === "task" && lease === null && state === "pending")
    .map(({ id }) => id);
}
