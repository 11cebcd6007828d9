import type { Check } from "./checks.ts";
import type { AlwaysFacts, WhenFacts } from "./facts.ts";
import type { Texts } from "./texts-en.ts";

/** What is well with them and what is not; nothing of what is not set up. */
export function eventChecks(facts: WhenFacts, texts: Texts): readonly Check[] {
  const { handlers, sources, hooks, publicUrl, unhandled } = facts;
  return [
    ...(handlers.length === 0 ? [] : checkHandlers(handlers, texts)),
    ...sources.map((source) => checkSource(source, texts)),
    ...(hooks.length === 0 ? [] : [checkHooks(hooks, publicUrl, texts)]),
    ...(unhandled.length === 0
      ? []
      : [{ name: "events", level: "warn", text: texts.eventsUnhandled(unhandled) } as const]),
  ];
}

function checkHandlers(handlers: WhenFacts["handlers"], texts: Texts): readonly Check[] {
  const silent = handlers.filter(({ target }) => target === null).map(({ name }) => name);
  const unheard = handlers.filter(({ target, isHeard }) => target !== null && !isHeard);
  const wrong = [
    ...(silent.length === 0 ? [] : [texts.handlersSilent(silent)]),
    ...unheard.map(({ name, target }) => texts.handlerUnheard(name, target ?? "")),
  ];
  const name = "handlers";
  if (wrong.length > 0) return wrong.map((text) => ({ name, level: "warn", text }));
  return [{ name, level: "ok", text: texts.handlersOk(handlers.map((each) => each.name)) }];
}

function checkSource({ name, problem, wants }: WhenFacts["sources"][number], texts: Texts): Check {
  if (wants.length > 0)
    return { name: "source", level: "bad", text: texts.sourceWants(name, wants) };
  return problem === null
    ? { name: "source", level: "ok", text: texts.sourceOk(name) }
    : { name: "source", level: "bad", text: texts.sourceBad(name, problem) };
}

function checkHooks(hooks: readonly string[], publicUrl: string | null, texts: Texts): Check {
  const name = "hooks";
  if (publicUrl === null) return { name, level: "warn", text: texts.hooksUnreached(hooks) };
  const urls = hooks.map((each) => `${publicUrl.replace(/\/+$/, "")}/hooks/${each}`);
  return { name, level: "ok", text: texts.hooksOk(urls) };
}

/** What is well with them and what is not. */
export function workspaceChecks(facts: AlwaysFacts, texts: Texts): readonly Check[] {
  const { machines, archives, administrator } = facts;
  // Whoever uses their own computer is the one who looks after it.
  const isUntold = machines.name !== "local" && administrator === null;
  return [
    checkBackend("machines", machines, texts),
    checkBackend("archives", archives, texts),
    ...(isUntold
      ? [{ name: "workspaces", level: "warn", text: texts.administratorNone } as const]
      : []),
  ];
}

function checkBackend(
  what: "machines" | "archives",
  { name, said, problem }: AlwaysFacts["machines"],
  texts: Texts,
): Check {
  if (problem !== null) return { name: what, level: "bad", text: texts.placeBad(name, problem) };
  return { name: what, level: "ok", text: texts.placeOk(name, said ?? "") };
}
