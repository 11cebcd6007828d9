import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import { hasCode } from "../../../platform/errors.ts";
import { taskKind } from "../../tasks/kind.ts";
import { deletedSchedule } from "../change.ts";
import { textsOf } from "../texts.ts";
import { findSchedule } from "./find-schedule.ts";
import { scheduleId } from "./inputs.ts";
import { scheduleAliases } from "./seed-names.ts";

const output = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  deleted: z.boolean().describe("false: it had ended before"),
});

/** Many runs may end at once, and each is counted in it. */
const triesMax = 30;

export const deleteSchedule = operation({
  name: "schedule_delete",
  summary: "Run something no more. What is running goes on, and all that ran stays in the book.",
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
    const { id } = await findSchedule(book, which);
    return untilFresh(() => endIt(book, id, { reason, now: context.now() }), triesMax);
  },
  render({ name, deleted, status: state }, { language }) {
    const texts = textsOf(language);
    return deleted ? texts.scheduleDeleted(name) : texts.scheduleGone({ name, state });
  },
});

async function endIt(
  book: Book,
  id: string,
  { reason, now }: { reason: string | undefined; now: number },
): Promise<z.infer<typeof output>> {
  const found = await findSchedule(book, id);
  const { body, endedAt, cancelling, state } = found;
  const { name } = body;
  if (endedAt !== null) return { id, name, status: state, deleted: false };
  if (cancelling) return { id, name, status: state, deleted: true };
  const waiting = await waitingRuns(book, id);
  const { edit, consequences } = deletedSchedule(found, { reason, waiting }, now);
  try {
    const { state: status } = await book.edit(edit, consequences);
    return { id, name, status, deleted: true };
  } catch (error) {
    // It ended by itself meanwhile.
    if (!hasCode(error, "ended")) throw error;
    return { id, name, status: (await findSchedule(book, id)).state, deleted: false };
  }
}

/** Its runs that nobody has begun: they wait for their turn. */
async function waitingRuns(book: Book, parent: string): Promise<readonly string[]> {
  const live = await Array.fromAsync(recordsIn(book, { kind: taskKind, parent, live: true }));
  return live
    .filter(({ lease, state }) => lease === null && state === "pending")
    .map(({ id }) => id);
}
