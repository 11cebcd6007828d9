import { port } from "../../kernel/port.ts";
import type { EventFilter } from "./poll-result.ts";
import type { SourceEvent } from "./source.ts";

/** A service that posts events to `/hooks/{name}`, and the book that they are written to. */
export interface EventHook extends EventFilter {
  readonly name: string;
  readonly owner: string;
  /** The owner of the installation. */
  readonly home: string;
  /** The event of an authentic request, undefined for a ping; or why the request is refused. */
  read(post: HookPost): { readonly event: SourceEvent | undefined } | { readonly refused: string };
}

interface HookPost {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly now: number;
  /** Names an event that has no id of its own. */
  readonly randomId: string;
}

/** The hook of a name; undefined when none is configured. */
export const eventHooks = port<(name: string) => EventHook | undefined>(
  "events.hooks",
  () => undefined,
);
