import { directory } from "../../adapters/sources/directory.ts";
import { github } from "../../adapters/sources/github.ts";
import { jira } from "../../adapters/sources/jira.ts";
import type { OwnedSource, Source, SourceSettings } from "../../features/events/index.ts";
import { present } from "../../platform/json.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { chatFetch } from "./chat-apis.ts";

const limits = { timeoutMs: 30_000, bytesMax: 8 * 1_048_576 };

/** The sources of the current settings: the same list until the settings change. */
export function sourcesFrom(
  current: () => readonly SourceSettings[],
  platform: PlatformPorts,
): () => readonly OwnedSource[] {
  let settings: readonly SourceSettings[] | undefined;
  let sources: readonly OwnedSource[] = [];
  return () => {
    if (current() !== settings) {
      settings = current();
      sources = settings.flatMap((each) => ownedSource(each, platform));
    }
    return sources;
  };
}

function ownedSource(settings: SourceSettings, platform: PlatformPorts): readonly OwnedSource[] {
  const { owner, everyMs, repos, types, ours } = settings;
  const source = sourceFrom(settings, platform);
  if (source === undefined) return [];
  return [{ source, owner, everyMs, filter: present({ repos, types, ours }) }];
}

function sourceFrom(settings: SourceSettings, { clock }: PlatformPorts): Source | undefined {
  const { name } = settings;
  switch (settings.kind) {
    case "github": {
      const { token, api } = settings;
      const fetch = chatFetch({ api }, clock, limits);
      return github({ name, token, fetch, clock, url: api });
    }
    case "jira": {
      const { url, email, token, jql } = settings;
      const fetch = chatFetch({ api: url }, clock, limits);
      return jira({ name, url, email, token, fetch, clock, jql });
    }
    case "directory":
      return directory({ name, clock, folder: settings.folder });
    case "slack":
      return undefined; // the chat receives its events
  }
}
