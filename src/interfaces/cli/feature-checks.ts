import type { Check } from "./checks.ts";
import type { WorkspaceFacts, EventFacts } from "./facts.ts";
import type { Texts } from "./texts-en.ts";

/** The checks of handlers, sources and hooks; none for what is not configured. */
export function eventChecks(facts: EventFacts, texts: Texts): readonly Check[] {
  const { handlers, sources, hooks, publicUrl, unhandled, refused } = facts;
  return [
    ...(handlers.length === 0 ? [] : checkHandlers(handlers, texts)),
    ...sources.map((source) => checkSource(source, texts)),
    ...(hooks.length === 0 ? [] : [checkHooks(hooks, publicUrl, texts)]),
    ...(unhandled.length === 0
      ? []
      : [{ name: "events", level: "warn", text: texts.eventsWithoutHandler(unhandled) } as const]),
    ...(refused === undefined
      ? []
      : [{ name: "quarantine", level: "warn", text: texts.filesRefused(refused) } as const]),
  ];
}

function checkHandlers(handlers: EventFacts["handlers"], texts: Texts): readonly Check[] {
  const withoutTarget = handlers.filter(({ target }) => target === null).map(({ name }) => name);
  const withoutChannel = handlers.filter(
    ({ target, hasChannel: isHeard }) => target !== null && !isHeard,
  );
  const warnings = [
    ...(withoutTarget.length === 0 ? [] : [texts.handlersWithoutTarget(withoutTarget)]),
    ...withoutChannel.map(({ name, target }) => texts.handlerWithoutChannel(name, target ?? "")),
  ];
  const name = "handlers";
  if (warnings.length > 0) return warnings.map((text) => ({ name, level: "warn", text }));
  return [{ name, level: "ok", text: texts.handlersOk(handlers.map((each) => each.name)) }];
}

function checkSource(
  { name, problem, missingSettings: wants }: EventFacts["sources"][number],
  texts: Texts,
): Check {
  if (wants.length > 0)
    return { name: "source", level: "bad", text: texts.sourceIncomplete(name, wants) };
  return problem === null
    ? { name: "source", level: "ok", text: texts.sourceOk(name) }
    : { name: "source", level: "bad", text: texts.sourceBad(name, problem) };
}

function checkHooks(hooks: readonly string[], publicUrl: string | null, texts: Texts): Check {
  const name = "hooks";
  if (publicUrl === null) return { name, level: "warn", text: texts.hooksWithoutUrl(hooks) };
  const urls = hooks.map((each) => `${publicUrl.replace(/\/+$/, "")}/hooks/${each}`);
  return { name, level: "ok", text: texts.hooksOk(urls) };
}

/** The checks of machines and archives. */
export function workspaceChecks(facts: WorkspaceFacts, texts: Texts): readonly Check[] {
  const { machines, archives, administrator } = facts;
  // The user of a local machine also administers it.
  const lacksAdministrator = machines.name !== "local" && administrator === null;
  return [
    checkBackend("machines", machines, texts),
    checkBackend("archives", archives, texts),
    ...(lacksAdministrator
      ? [{ name: "workspaces", level: "warn", text: texts.administratorNone } as const]
      : []),
  ];
}

function checkBackend(
  checkName: "machines" | "archives",
  { name, report: said, problem }: WorkspaceFacts["machines"],
  texts: Texts,
): Check {
  if (problem !== null)
    return { name: checkName, level: "bad", text: texts.backendBad(name, problem) };
  return { name: checkName, level: "ok", text: texts.backendOk(name, said ?? "") };
}
