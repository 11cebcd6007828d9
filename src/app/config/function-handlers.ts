import type { Handler } from "../../features/events/index.ts";
import type { TaskDefinition } from "../../features/tasks/index.ts";
import { quote } from "../../platform/text.ts";

/** Subscribing functions as handlers: each gets the task, and is repeated by its own retry settings. */
export function functionHandlers(tasks: readonly TaskDefinition[]): readonly Handler[] {
  return tasks.flatMap(({ name, subscribes = [], timeoutMs, retry }) => {
    if (subscribes.length === 0) return [];
    const retries = retry.attempts - 1;
    const where = { target: null, channels: [], repo: null };
    return [{ name, subscribes, run: { task: name }, timeoutMs, retries, ...where }];
  });
}

/** Conflicts: each type has one handler, and each handler its own name. */
export function functionProblems(
  functions: readonly Handler[],
  handlers: readonly Handler[],
): readonly string[] {
  const names = new Set(handlers.map(({ name }) => name));
  const takers = new Map<string, string>(
    handlers.flatMap(({ name, subscribes }) =>
      subscribes.map((type) => [type, `handlers.${name}`] as const),
    ),
  );
  return functions.flatMap(({ name, subscribes }) => {
    const at = `open()  tasks has ${quote(name)}, which`;
    const twice = `${at} is also the name of a handler: rename one of them`;
    const taken = subscribes.flatMap((type) => {
      const taker = takers.get(type);
      takers.set(type, taker ?? `the task ${quote(name)}`);
      if (taker === undefined) return [];
      const says = `subscribes to ${quote(type)}, which ${taker} already handles`;
      return [`${at} ${says}: leave it to one of them`];
    });
    return [...(names.has(name) ? [twice] : []), ...taken];
  });
}
