import { DaybookError } from "../platform/errors.ts";
import { settleEach } from "./checked-ledger.ts";
import { isEnd, isLive, type Kind } from "./kind.ts";
import type { Book, Ledger } from "./ledger.ts";
import type { Draft, Edit, Consequences } from "./unit.ts";
import type { Settle } from "./work-unit.ts";

/**
 * A ledger that writes records of these kinds only, each in a state of its kind. What a store has of other kinds can
 * be read; nobody claims it, since a claim names a definition.
 */
export function registered(ledger: Ledger, kinds: readonly Kind[]): Ledger {
  const known = new Map(kinds.map((kind) => [kind.name, kind]));
  const check = (write: Draft | Edit): void => checkWrite(known, write);
  const checkFollows = ({ append = [], edit = [] }: Consequences = {}): void => {
    append.forEach(check);
    edit.forEach(check);
  };
  return {
    ...ledger,
    of: (owner, by) => registeredBook(ledger.of(owner, by), check, checkFollows),
    work: {
      ...ledger.work,
      settle: (units) =>
        settleEach(
          units,
          (unit: Settle) => checkFollows("consequences" in unit ? unit.consequences : undefined),
          (good) => ledger.work.settle(good),
        ),
      async prune(prune) {
        for (const { kind } of prune.of ?? []) kindNamed(known, kind);
        return ledger.work.prune(prune);
      },
    },
  };
}

function registeredBook(
  book: Book,
  check: (write: Draft | Edit) => void,
  checkFollows: (consequences?: Consequences) => void,
): Book {
  return {
    ...book,
    async append(draft, consequences) {
      check(draft);
      checkFollows(consequences);
      return book.append(draft, consequences);
    },
    async edit(edit, consequences) {
      check(edit);
      checkFollows(consequences);
      return book.edit(edit, consequences);
    },
    async cancel(cancel, consequences) {
      checkFollows(consequences);
      return book.cancel(cancel, consequences);
    },
  };
}

function checkWrite(known: ReadonlyMap<string, Kind>, write: Draft | Edit): void {
  const kind = kindNamed(known, write.kind);
  if ("ends" in write) {
    if (!isEnd(kind, write.ends)) throw refusal(`A ${kind.name} cannot end as`, write.ends);
  } else if (write.state !== undefined && !isLive(kind, write.state)) {
    throw refusal(`A ${kind.name} cannot be in the state`, write.state);
  }
}

function kindNamed(known: ReadonlyMap<string, Kind>, name: string): Kind {
  const kind = known.get(name);
  if (kind === undefined) {
    throw new DaybookError("invalid", `There is no kind of record called "${name}".`);
  }
  return kind;
}

function refusal(sentence: string, state: unknown): DaybookError {
  return new DaybookError("invalid", `${sentence} ${JSON.stringify(state)}.`);
}
