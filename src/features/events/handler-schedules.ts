import type { DeclaredEntry } from "../schedules/index.ts";
import { targetFor } from "./event-task.ts";
import type { ConfiguredHandler } from "./handler-settings.ts";

/** The owner of work that handlers do by a schedule. */
const owner = "me";

/** The handler reports what its tasks come to, and makes them again itself. */
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

/** The schedules of handlers, under names that no schedule of the file can have. */
export function handlerSchedules(
  handlers: readonly ConfiguredHandler[],
  { defaultTarget, capacity }: { defaultTarget: string | null; capacity: number },
  positionOf: (path: readonly string[]) => string,
): Readonly<Record<string, DeclaredEntry & { place: string }>> {
  const all = handlers.flatMap(({ handler, schedules }) =>
    Object.entries(schedules).map(([name, one]) => {
      const { type: taskType, payload, repo = handler.repo, ...times } = one;
      const entry = {
        ...plain,
        ...times,
        run: {},
        target: targetFor({ origin: null, owner }, handler, defaultTarget),
        of: { handler, name, taskType, payload, repo, capacity },
        place: positionOf(["handlers", handler.name, "schedules", name]),
      };
      return [`${handler.name}:${name}`, entry] as const;
    }),
  );
  return Object.fromEntries(all);
}
