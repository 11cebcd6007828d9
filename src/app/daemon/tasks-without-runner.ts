import { taskQueue } from "../../features/tasks/index.ts";
import type { Stats } from "../../kernel/query.ts";
import type { Config } from "../config/config.ts";

/** The names of due tasks for which a daemon with these settings has no runner. */
export function tasksWithoutRunner(
  { runners, handlers }: Config,
  { queues }: Pick<Stats, "queues">,
): readonly string[] {
  const { command, agent } = runners;
  const run = new Set([
    "http",
    "workspace",
    ...(command.allow.length === 0 ? [] : ["command"]),
    ...(agent === undefined ? [] : ["agent"]),
    ...handlers.map(({ name }) => name), // one without run has workers outside
  ]);
  const prefix = taskQueue("");
  return queues
    .filter(({ queue, due }) => due > 0 && queue.startsWith(prefix))
    .map(({ queue }) => queue.slice(prefix.length))
    .filter((name) => !run.has(name));
}
