import type { Engine, Verb } from "../../kernel/verbs.ts";
import type { Witnessed } from "../simulator/faulty-store.ts";
import type { Marks } from "../simulator/marks.ts";
import { watchAppend, watchCancel, watchEdit } from "./asks.ts";
import { watchClaim, watchKeep } from "./claims.ts";
import type { History } from "./history.ts";
import type { Notes } from "./notes.ts";
import { watchRead, watchWrite } from "./output.ts";
import { watchSettle } from "./settles.ts";

/** What every watch over calls has at hand. */
export interface Watch {
  notes: Notes;
  marks: Marks;
  history: History;
  engine: Engine;
  /** Nothing goes wrong but one destination. */
  isCalm: boolean;
  now(): number;
  storeNow(): number;
}

export type CallOf<V extends Witnessed["verb"]> = Extract<Witnessed, { verb: V }>;

/** What is watched. */
const watchers: { readonly [V in Verb]?: (watch: Watch, call: CallOf<V>) => void } = {
  append: watchAppend,
  edit: watchEdit,
  cancel: watchCancel,
  claim: watchClaim,
  keep: (watch, { input, answer, life }) =>
    input.forEach((unit, index) => watchKeep(watch, { unit, answer: answer?.[index], life })),
  settle: (watch, { input, answer, life }) =>
    input.forEach((unit, index) => watchSettle(watch, { unit, answer: answer?.[index], life })),
  write: watchWrite,
  read: watchRead,
  prune({ notes }, { input }) {
    notes.endedBeforeMax = Math.max(notes.endedBeforeMax, input.endedBefore);
  },
};

/** Holds every call that reached the store against what was seen before it. */
export function watchCall(watch: Watch, call: Witnessed): void {
  const { notes } = watch;
  notes.storeNowMax = Math.max(notes.storeNowMax, watch.storeNow());
  notes.offsetMax = Math.max(notes.offsetMax, watch.storeNow() - watch.now());
  const watcher = watchers[call.verb] as ((watch: Watch, call: Witnessed) => void) | undefined;
  watcher?.(watch, call);
}
