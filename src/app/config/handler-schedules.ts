import { speaksAt } from "../../features/events/event-task.ts";
import type { One } from "../../features/schedules/operations/input-settings.ts";
import type { Payload } from "../../features/tasks/task-event.ts";
import { layerOf, type Layer } from "./layers.ts";
import type { Settings } from "./schema.ts";
import type { WhenSettings } from "./when.ts";

/** Whose the work of handlers is that nothing from elsewhere asked for. */
const owner = "me";

/** What its tasks come to is said by the handler itself, and they are made again as it says. */
const plain = {
  owner,
  notify: "never",
  misfire: "latest",
  overlap: "skip",
  rerun: true,
  notifyAfterFailures: 0,
  disableAfterFailures: 0,
  adopt: false,
} as const;

/** What handlers do again and again, under names that no schedule of the file can have. */
export function handlerSchedules(
  { handlers }: Settings,
  { handlers: resolved, speaksTo, places }: Pick<WhenSettings, "handlers" | "speaksTo" | "places">,
  layers: readonly Layer[],
): Readonly<Record<string, One & { place: string }>> {
  const all = resolved.flatMap((handler) => {
    const own = Object.entries(handlers[handler.name]?.schedules ?? {});
    return own.map(([name, { type: taskType, payload, repo = handler.repo, ...times }]) => {
      const path = ["handlers", handler.name, "schedules", name];
      const one = {
        ...plain,
        ...times,
        run: {},
        target: speaksAt({ origin: null, owner }, handler, speaksTo),
        of: { handler, name, taskType, payload: payload as Payload, repo, places }, // checked to be one
        place: layerOf(layers, path)?.place(path) ?? "",
      };
      return [`${handler.name}:${name}`, one] as const;
    });
  });
  return Object.fromEntries(all);
}
