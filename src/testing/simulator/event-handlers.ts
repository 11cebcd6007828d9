import type { Handler } from "../../features/events/handler.ts";
import type { EventRules } from "../../features/events/ports.ts";

/** The name of the function that handlers run here. */
export const functionName = "work";
/** How many tasks of handlers may be at work at once, over all nodes. */
export const handlerCapacity = 2;

const plain: Handler = {
  name: "gen-work",
  subscribes: ["a.one", "a.two"],
  run: { task: functionName },
  timeoutMs: 6_000,
  retries: 2,
  target: "slack:C1",
  channels: ["slack:C2"],
  repo: null,
};

/** Whoever works for it claims from outside. */
export const externalName = "gen-out";

export const handlers: readonly Handler[] = [
  plain,
  { ...plain, name: "gen-told", subscribes: ["svc.told"], retries: 0, target: null },
  {
    name: externalName,
    subscribes: ["b.one", "a.two"],
    timeoutMs: 10_000,
    retries: 1,
    target: null,
    channels: [],
    repo: "a/b",
  },
];

/** The first of two that subscribe to it has `a.two`. */
export const eventTypes: readonly [string, ...string[]] = [
  "a.one",
  "a.one",
  "a.two",
  "b.one",
  "b.one",
  "c.nobody",
];

export const workHandlers: EventRules = {
  handlers,
  defaultTarget: "slack:C0",
  capacity: handlerCapacity,
};

export function handlerNamed(name: string): Handler | undefined {
  return handlers.find((each) => each.name === name);
}
