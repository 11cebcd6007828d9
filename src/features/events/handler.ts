import type { Json } from "../../platform/json.ts";

/** Who has something to do for events of some types, as it is set. */
export interface Handler {
  /** `gen-pr` */
  readonly name: string;
  /** Types of events, each as it is. */
  readonly subscribes: readonly string[];
  /** What is run; absent: workers from outside claim its tasks from the queue of its name. */
  readonly run?: HandlerRun;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** How often an attempt that failed or was cut off is made again. */
  readonly retries: number;
  /** Where its work speaks when no chat asked for it; null: where such work speaks here. */
  readonly target: string | null;
  /** Where its results may ask to be told beside, as targets: `slack:C0123`. */
  readonly channels: readonly string[];
  /** For events that name none. */
  readonly repo: string | null;
}

/** Texts may name what the event says: `{{payload.pr_number}}`. `in` is the workspace it runs in, by its name. */
export type HandlerRun =
  | { readonly command: readonly string[]; readonly cwd?: string; readonly in?: string }
  | { readonly agent: string; readonly in?: string }
  | { readonly http: string; readonly secret: string; readonly in?: string }
  /** A function by its name; without an input it is given the task. */
  | { readonly task: string; readonly input?: Json; readonly in?: string };

export const retriesDefault = 2;
/** Between two attempts. */
export const retryMs = 60_000;
/** Tasks of handlers at work at once, when nothing is set. */
export const runnersMaxDefault = 3;

const nameShape = /^[a-z][a-z0-9-]{0,62}$/;

export function isHandlerName(name: string): boolean {
  return nameShape.test(name);
}
