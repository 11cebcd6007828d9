import type { Check } from "./examine.ts";
import type { Texts } from "./texts-en.ts";

/** What can be seen of handlers, and of where things are heard. */
export interface WhenFacts {
  readonly handlers: readonly HandlerFacts[];
  readonly sources: readonly SourceFacts[];
  /** By name. */
  readonly hooks: readonly string[];
  /** Where hooks are reached; null: nobody said. */
  readonly publicUrl: string | null;
  /** Types of what happened lately, for which nobody has anything to do. */
  readonly unhandled: readonly string[];
}

interface SourceFacts {
  readonly name: string;
  /** Why it is not heard, as it was last asked. */
  readonly problem: string | null;
  /** The settings that are missing for it. */
  readonly wants: readonly string[];
}

interface HandlerFacts {
  readonly name: string;
  /** Where its work speaks that no chat asked for; null: nobody said. */
  readonly target: string | null;
  /** Whether something here can say it there. */
  readonly isHeard: boolean;
}

/** What is well with them and what is not; nothing of what is not set up. */
export function examineWhen(facts: WhenFacts, texts: Texts): readonly Check[] {
  const { handlers, sources, hooks, publicUrl, unhandled } = facts;
  return [
    ...(handlers.length === 0 ? [] : examineHandlers(handlers, texts)),
    ...sources.map((source) => examineSource(source, texts)),
    ...(hooks.length === 0 ? [] : [examineHooks(hooks, publicUrl, texts)]),
    ...(unhandled.length === 0
      ? []
      : [{ name: "events", level: "warn", text: texts.eventsUnhandled(unhandled) } as const]),
  ];
}

function examineHandlers(handlers: readonly HandlerFacts[], texts: Texts): readonly Check[] {
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

function examineSource({ name, problem, wants }: SourceFacts, texts: Texts): Check {
  if (wants.length > 0)
    return { name: "source", level: "bad", text: texts.sourceWants(name, wants) };
  return problem === null
    ? { name: "source", level: "ok", text: texts.sourceOk(name) }
    : { name: "source", level: "bad", text: texts.sourceBad(name, problem) };
}

function examineHooks(hooks: readonly string[], publicUrl: string | null, texts: Texts): Check {
  const name = "hooks";
  if (publicUrl === null) return { name, level: "warn", text: texts.hooksUnreached(hooks) };
  const urls = hooks.map((each) => `${publicUrl.replace(/\/+$/, "")}/hooks/${each}`);
  return { name, level: "ok", text: texts.hooksOk(urls) };
}
