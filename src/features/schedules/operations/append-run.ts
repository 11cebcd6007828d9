import type { Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Appended, DraftOf } from "../../../kernel/unit.ts";
import { dayOf } from "../../../time/zone.ts";
import { dayNumbers } from "../../notifications/ports.ts";
import type { TaskKind } from "../../tasks/kind.ts";
import { threaded } from "../handler-slot.ts";

/** Writes a run that was asked for. One of a handler's has a name of the day and a thread, as its slots have. */
export async function appendRun(
  context: Context,
  draft: DraftOf<TaskKind>,
): Promise<Appended<TaskKind>> {
  const { profile } = context;
  const book = bookOf(context);
  if (draft.body.event === undefined) return book.append(draft);
  const now = context.now();
  const day = dayOf(now, profile.zone);
  const { label } = context.use(dayNumbers);
  const labels = { task: await label("task", day), message: await label("msg", day) };
  const { task, starts } = threaded(draft, labels, now);
  return book.append(task, { append: starts });
}
