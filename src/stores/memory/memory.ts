import { ledgerOver } from "../../kernel/checked-ledger.ts";
import { hints } from "../../kernel/hints.ts";
import { ledgerClosed } from "../../kernel/ledger-errors.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Answers, Engine, Transport } from "../../kernel/verbs.ts";
import type { Ids } from "../../platform/ids.ts";
import { claim } from "./claim.ts";
import { move, prune } from "./maintenance.ts";
import { newModel, unit, type Model } from "./model.ts";
import { read, write } from "./output.ts";
import { changes, get, inQueue, list, stats } from "./reads.ts";
import { keep, settle } from "./settle.ts";
import { bookAppend, bookCancel, bookEdit } from "./writes.ts";

export interface MemoryOptions {
  now: () => number;
  ids: Ids;
}

/** The ledger in memory: the model that all stores are compared with. It ends with its process. */
export function memory(options: MemoryOptions): Ledger {
  return ledgerOver(directly(memoryEngine(options)));
}

/** A transport to a store in the same thread. */
export function directly(engine: Engine): Transport {
  const verbs: Answers = engine;
  const local = hints();
  let closed = false;
  return {
    async perform(verb, input) {
      if (closed) throw ledgerClosed();
      const answer = verbs[verb](input);
      local.notify(engine.takeHints());
      return answer;
    },
    onHint: local.onHint,
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}

export function memoryEngine(options: MemoryOptions): Engine {
  const model = newModel(options.ids);
  return engineOver(model, () => {
    model.writes.length = 0; // a call is never undone after the next one has started
    return options.now();
  });
}

/** The verbs over a model. The owner of the model empties its `writes`. */
export function engineOver(model: Model, now: () => number): Engine {
  const verb =
    <Input, Answer>(run: (model: Model, input: Input) => Answer) =>
    (input: Input): Answer => {
      model.now = now();
      return unit(model, () => run(model, input));
    };
  return {
    append: verb(bookAppend),
    get: verb(get),
    list: verb(list),
    edit: verb(bookEdit),
    cancel: verb(bookCancel),
    changes: verb(changes),
    read: verb(read),
    claim: verb(claim),
    keep: verb(keep),
    settle: verb(settle),
    move: verb(move),
    write: verb(write),
    prune: verb(prune),
    inQueue: verb(inQueue),
    stats: verb(stats),
    takeHints() {
      const queues = [...model.hints];
      model.hints.clear();
      return queues;
    },
  };
}
