import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Cancelled } from "../../../kernel/unit.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { taskKind } from "../../tasks/kind.ts";
import { cancelTask } from "../../tasks/operations/cancel.ts";
import { type EventKind, eventKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { eventView, shownEvent } from "./event-view.ts";
import { handledTasks } from "./handled-tasks.ts";

const output = eventView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: what is done for it is being stopped; ended: it was over before"),
});

export const cancelEvent = operation({
  name: "cancel_event",
  summary: "Let nothing be done for an event, or stop what is.",
  input: z.strictObject({
    id: fields.id,
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output,
  aliases: { event_id: "id" },
  scope: "write",
  effect: "ends",
  route: { method: "POST", path: "/v1/events/{id}/cancel" },
  command: { name: "cancel-event", positionals: ["id"] },
  tool: "on request",
  async run({ id, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const cancel = await endEvent(book, await find(book, eventKind, id), {
      reason,
      now: context.now(),
    });
    return { ...shownEvent(await find(book, eventKind, id)), cancel };
  },
  render({ cancel, name, state }, { language }) {
    const texts = textsOf(language);
    if (cancel === "cancelled") return texts.eventCancelled(name);
    if (cancel === "cancelling") return texts.eventStopping(name);
    return texts.eventEnded({ name, state: texts.state(state) });
  },
});

/** One that waits ends; one that has a task ends with that. */
export async function endEvent(
  book: Book,
  event: LedgerRecord<EventKind>,
  { reason, now }: { reason: string | undefined; now: number },
): Promise<Cancelled["result"]> {
  const task = await book.get(event.outcome?.task ?? "");
  const isAtWork = event.state === "dispatched" && is(taskKind, task) && task.endedAt === null;
  if (isAtWork) return cancelTask(book, task, { reason, now, handled: handledTasks });
  const { id } = event;
  return (await book.cancel({ id, ...(reason === undefined ? {} : { reason }) })).result;
}
