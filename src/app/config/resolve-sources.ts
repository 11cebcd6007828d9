import type { Hook } from "../../adapters/sources/webhook.ts";
import {
  type EventFilter,
  hookKinds,
  sourceKinds,
  type HookEntry,
  type HookKind,
  type SourceEntry,
  type SourceSetting,
} from "../../features/events/index.ts";
import { msOf, textOf } from "../../platform/settings/forms.ts";
import { resolvePath } from "../../platform/settings/tree.ts";
import { layerOf, type Layer } from "./layers.ts";
import type { HookSettings, SourceSettings } from "./when-settings.ts";

/** What it is: as it says, or as it is called. */
export function sourceKindOf(name: string, kind: unknown): SourceSetting | undefined {
  return sourceKinds.find((each) => each === (kind ?? name));
}

export function hookKindOf(name: string, kind: unknown): HookKind | undefined {
  return hookKinds.find((each) => each === (kind ?? name));
}

const everyDefault: Readonly<Record<SourceSetting, string>> = {
  github: "1m",
  jira: "5m",
  directory: "10s",
  slack: "1m",
};

export function resolveSources(
  set: Readonly<Record<string, SourceEntry>>,
  layers: readonly Layer[],
): readonly SourceSettings[] {
  return Object.entries(set).flatMap(([name, one]): SourceSettings[] => {
    const kind = sourceKindOf(name, one.kind);
    if (kind === undefined) return []; // refused before
    const everyMs = msOf(one.every ?? everyDefault[kind]);
    const common = { name, owner: one.owner, everyMs, ...interestOf(one) };
    return [
      { ...common, ...placeToAsk(kind, one, layerOf(layers, ["sources", name])?.from ?? "") },
    ];
  });
}

type PlaceToAsk = SourceSettings extends infer Each
  ? Each extends { kind: infer Kind }
    ? Omit<Each, "name" | "owner" | "everyMs" | keyof EventFilter> & { kind: Kind }
    : never
  : never;

function placeToAsk(kind: SourceSetting, one: SourceEntry, from: string): PlaceToAsk {
  const { api, url = "", email = "", jql, folder = "" } = one;
  const token = textOf(one.token);
  switch (kind) {
    case "github":
      return { kind, token, ...(api === undefined ? {} : { api: withoutSlash(api) }) };
    case "jira":
      return { kind, url: withoutSlash(url), email, token, ...(jql === undefined ? {} : { jql }) };
    case "directory":
      return { kind, folder: resolvePath(folder, from) };
    case "slack":
      return { kind };
  }
}

/** How whoever posts proves it. */
const verifies: Readonly<Record<HookKind, Hook["verify"]>> = {
  github: "hub",
  standard: "standard",
  cloudevents: "bearer",
  token: "bearer",
};

export function resolveHooks(set: Readonly<Record<string, HookEntry>>): readonly HookSettings[] {
  return Object.entries(set).flatMap(([name, one]): HookSettings[] => {
    const kind = hookKindOf(name, one.kind);
    if (kind === undefined) return []; // refused before
    const secrets = [one.secret, one.previousSecret].map(textOf).filter((text) => text !== "");
    return [{ name, verify: verifies[kind], secrets, owner: one.owner, ...interestOf(one) }];
  });
}

function interestOf({ repos, types, ours }: SourceEntry | HookEntry): EventFilter {
  return { ...(repos && { repos }), ...(types && { types }), ...(ours && { ours }) };
}

/** The clients add one of their own. */
function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
