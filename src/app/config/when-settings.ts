import type { Hook } from "../../adapters/sources/webhook.ts";
import type { EventFilter } from "../../features/events/index.ts";
/** Somewhere that is asked what happened. */
export type SourceSettings = {
  readonly name: string;
  /** In whose book it is written. */
  readonly owner: string;
  readonly everyMs: number;
} & EventFilter &
  (
    | { readonly kind: "github"; readonly token: string; readonly api?: string }
    | {
        readonly kind: "jira";
        readonly url: string;
        readonly email: string;
        readonly token: string;
        readonly jql?: string;
      }
    | { readonly kind: "directory"; readonly folder: string }
    /** What the chat hears: mentions, direct messages, replies in threads. */
    | { readonly kind: "slack" }
  );

/** Somewhere that tells us what happened, at `/hooks/{name}`. */
export type HookSettings = Hook & EventFilter & { readonly owner: string };
