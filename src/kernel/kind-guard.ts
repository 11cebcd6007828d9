import { DaybookError } from "../platform/errors.ts";
import { settleEach } from "./checked-ledger.ts";
import { isEnd, isLive, type Kind } from "./kind.ts";
import type { Book, Ledger } from "./ledger.ts";
import type { Draft, Edit, Consequences } from "./unit.ts";
import type { Settle } from "./work-unit.ts";

/**
 * A ledger that writes records of these kinds only, each in a state of its kind. Stored records of other kinds can
 * be read; no controller claims them, because a claim names a definition.
 */
export function guardKinds(ledger: Ledger, kinds: readonly Kind[]): Ledger {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const check = (write: Draft | Edit): void => checkWrite(byName, write);
  const checkConsequences = ({ append = [], edit = [] }: Consequences = {}): void => {
    append.forEach(check);
    edit.forEach(check);
  };
  return {
    ...ledger,
    of: (owner, by) => guardBook(ledger.of(owner, by), check, checkConsequences),
    work: {
      ...ledger.work,
      settle: (units) =>
        settleEach(
          units,
          (unit: Settle) =>
            checkConsequences("consequences" in unit ? unit.consequences : undefined),
          (good) => ledger.work.settle(good),
        ),
      async prune(prune) {
        for (const { kind } of prune.of ?? []) kindNamed(byName, kind);
        return ledger.work.prune(prune);
      },
    },
  };
}

function guardBook(
  book: Book,
  check: (write: Draft | Edit) => void,
  checkConsequences: (consequences?: Consequences) => void,
): Book {
  return {
    ...book,
    async append(draft, consequences) {
      check(draft);
      checkConsequences(consequences);
      return book.append(draft, consequences);
    },
    async edit(edit, consequences) {
      check(edit);
      checkConsequences(consequences);
      return book.edit(edit, consequences);
    },
    async cancel(cancel, consequences) {
      checkConsequences(consequences);
      return book.cancel(cancel, consequences);
    },
  };
}

function checkWrite(byName: ReadonlyMap<string, Kind>, write: Draft | Edit): void {
  const kind = kindNamed(byName, write.kind);
  if ("ends" in write) {
    if (!isEnd(kind, write.ends)) throw wrongState(`A ${kind.name} cannot end as`, write.ends);
  } else if (write.state !== undefined && !isLive(kind, write.state)) {
    throw wrongState(`A ${kind.name} cannot be in the state`, write.state);
  }
}

function kindNamed(byName: ReadonlyMap<string, Kind>, name: string): Kind {
  const kind = byName.get(name);
  if (kind === undefined) {
    throw new DaybookError("invalid", `There is no kind of record called "${name}".`);
  }
  return kind;
}

function wrongState(sentence: string, state: unknown): DaybookError {
  return new DaybookError("invalid", `${sentence} ${JSON.stringify(state)}.`);
}
