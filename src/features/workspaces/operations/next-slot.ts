import { bookOf } from "../../../kernel/book.ts";
import type { Context } from "../../../kernel/operation.ts";
import { nextFires, schedulesIn } from "../../schedules/index.ts";
import { workspaceOf } from "../../tasks/index.ts";
import type { Workspace } from "./find-workspace.ts";

/** The next slot of a schedule of the book that runs in it. */
export async function nextSlotAt({ body }: Workspace, context: Context): Promise<number | null> {
  const name = body.name.toLowerCase();
  const schedules = await schedulesIn(bookOf(context), { live: true });
  const times = schedules
    .filter(({ body: { run } }) => workspaceOf(run)?.toLowerCase() === name)
    .flatMap((schedule) => nextFires(schedule, context.now(), 1));
  return times.length === 0 ? null : Math.min(...times);
}
