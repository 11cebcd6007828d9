import type { Engine, Verb } from "../../kernel/verbs.ts";
import type { StoreCall } from "../simulator/faulty-store.ts";
import type { Marks } from "../simulator/marks.ts";
import { watchClaim, watchKeep } from "./claims.ts";
import type { History } from "./history.ts";
import type { Model } from "./model.ts";
import { watchRead, watchWrite } from "./output.ts";
import { watchAppend, watchCancel, watchEdit } from "./requests.ts";
import { watchSettle } from "./settles.ts";

/** What every watch over calls has at hand. */
export interface Watch {
  model: Model;
  marks: Marks;
  history: History;
  engine: Engine;
  /** Nothing goes wrong but one destination. */
  isCalm: boolean;
  now(): number;
  storeNow(): number;
}

export type CallOf<V extends StoreCall["verb"]> = Extract<StoreCall, { verb: V }>;

/** What is watched. */
const watchers: { readonly [V in Verb]?: (watch: Watch, call: CallOf<V>) => void } = {
  append: watchAppend,
  edit: watchEdit,
  cancel: watchCancel,
  claim: watchClaim,
  keep: (watch, { input, answer, process }) =>
    input.forEach((unit, index) => watchKeep(watch, { unit, answer: answer?.[index], process })),
  settle: (watch, { input, answer, process }) =>
    input.forEach((unit, index) => watchSettle(watch, { unit, answer: answer?.[index], process })),
  write: watchWrite,
  read: watchRead,
  prune({ model }, { input }) {
    model.endedBeforeMax = Math.max(model.endedBeforeMax, input.endedBefore);
  },
};

/** Holds every call that reached the store against what was seen before it. */
export function watchCall(watch: Watch, call: StoreCall): void {
  const { model } = watch;
  model.storeNowMax = Math.max(model.storeNowMax, watch.storeNow());
  model.offsetMax = Math.max(model.offsetMax, watch.storeNow() - watch.now());
  const watcher = watchers[call.verb] as ((watch: Watch, call: StoreCall) => void) | undefined;
  watcher?.(watch, call);
}
