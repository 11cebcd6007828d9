import type { Ledger } from "../kernel/ledger.ts";
import { bookVerbs, workVerbs } from "../kernel/verbs.ts";
import { DaybookError } from "../platform/errors.ts";
import { isTree } from "../platform/settings/tree.ts";
import { isReference } from "./config/secrets.ts";
import { storeForms } from "./config/store-url.ts";

/** A store that a program made itself: anything that keeps the contract of `kernel/ledger.ts`. */
export interface OwnStore {
  readonly kind: "own";
  readonly ledger: Ledger;
}

/** The store among the options of `open`, if it is an object; undefined: it is a text, a reference to one, or missing. */
export function ownStore(options: unknown): OwnStore | undefined {
  const store = isTree(options) ? options["store"] : undefined;
  if (typeof store !== "object" || store === null || isReference(store)) return undefined;
  const missing = missingIn(store);
  if (missing.length === 0) return { kind: "own", ledger: store as Ledger };
  throw new DaybookError(
    "invalid",
    `The object that open() got as its store is not one: it lacks ${missing.join(", ")}. Pass an object that implements Ledger (docs/extend.md), or write ${storeForms}.`,
    { details: { missing } },
  );
}

/** The parts of the contract that an object does not have. */
function missingIn(store: object): readonly string[] {
  const given: Partial<Ledger> = store;
  const isMaker = typeof given.of === "function";
  return [
    ...(isMaker ? missingVerbs("of().", given.of?.("daybook", "daybook"), bookVerbs) : ["of"]),
    ...missingVerbs("work.", given.work, [...workVerbs, "onHint"]),
    ...(hasVerb(given.lost, "then") ? [] : ["lost"]),
    ...missingVerbs("", store, ["close"]),
  ];
}

function missingVerbs(path: string, part: unknown, verbs: readonly string[]): readonly string[] {
  return verbs.filter((verb) => !hasVerb(part, verb)).map((verb) => `${path}${verb}`);
}

function hasVerb(part: unknown, verb: string): boolean {
  return typeof part === "object" && part !== null && typeof Reflect.get(part, verb) === "function";
}
