import type { Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Appended, DraftOf } from "../../../kernel/unit.ts";
import { dayOf } from "../../../time/zone.ts";
import type { TaskKind } from "../../tasks/kind.ts";
import { threaded } from "../handler-slot.ts";

/** Writes a run that was asked for. One of a handler's has a name of the day and a thread, as its slots have. */
export async function appendRun(
  context: Context,
  draft: DraftOf<TaskKind>,
): Promise<Appended<TaskKind>> {
  const { when, profile } = context;
  const book = bookOf(context);
  if (when === undefined || draft.body.event === undefined) return book.append(draft);
  const now = context.now();
  const day = dayOf(now, profile.zone);
  const labels = { task: await when.label("task", day), message: await when.label("msg", day) };
  const { task, starts } = threaded(draft, labels, now);
  return book.append(task, { append: starts });
}
