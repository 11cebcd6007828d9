import { targetFor } from "../../features/events/index.ts";
import type { DeclaredEntry } from "../../features/schedules/index.ts";
import type { Payload } from "../../features/tasks/index.ts";
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
  {
    handlers: resolved,
    defaultTarget,
    capacity,
  }: Pick<WhenSettings, "handlers" | "defaultTarget" | "capacity">,
  layers: readonly Layer[],
): Readonly<Record<string, DeclaredEntry & { place: string }>> {
  const all = resolved.flatMap((handler) => {
    const own = Object.entries(handlers[handler.name]?.schedules ?? {});
    return own.map(([name, { type: taskType, payload, repo = handler.repo, ...times }]) => {
      const path = ["handlers", handler.name, "schedules", name];
      const one = {
        ...plain,
        ...times,
        run: {},
        target: targetFor({ origin: null, owner }, handler, defaultTarget),
        of: { handler, name, taskType, payload: payload as Payload, repo, capacity }, // checked to be one
        place: layerOf(layers, path)?.place(path) ?? "",
      };
      return [`${handler.name}:${name}`, one] as const;
    });
  });
  return Object.fromEntries(all);
}
