import { setKey, swap, type Fact, type Model } from "../memory/model.ts";
import { grow } from "../memory/output.ts";
import type { Entry } from "./entry.ts";

/** Makes a model from what was written down. */
export interface Replay {
  add(entry: Entry): void;
  /** Comes once, after the last entry. */
  finish(): void;
}

export function replaying(model: Model): Replay {
  /** Of each forgotten record: the last change that may be its. The id may have come back since. */
  const forgotten = new Map<string, number>();

  const become = (fact: Fact): void => {
    switch (fact.what) {
      case "row":
        freeze(fact.row.body);
        freeze(fact.row.outcome);
        return swap(model, model.rows.get(fact.row.id), fact.row);
      case "gone":
        swap(model, model.rows.get(fact.id), undefined);
        model.output.delete(fact.id);
        forgotten.set(fact.id, model.history.at(-1)?.seq ?? 0);
        return;
      case "change":
        model.history.push(fact.entry);
        return;
      case "key":
        return setKey(model, fact.name, fact.entry);
      case "bytes":
        return grow(model, fact.chunk);
    }
  };
  return {
    add({ seq, facts }) {
      facts.forEach(become);
      model.seq = seq;
    },
    finish() {
      if (forgotten.size === 0) return;
      model.history = model.history.filter(
        ({ seq, change }) => seq > (forgotten.get(change.id) ?? 0),
      );
    },
  };
}

/** As the model has it: a reader cannot change what the store has. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
