import { DaybookError } from "../platform/errors.ts";
import { isEnd, isLive, type Kinds } from "./kind.ts";
import type {
  Book,
  Cancelled,
  Claim,
  ClaimRequest,
  Ledger,
  ListQuery,
  Settle,
  Settled,
  Work,
} from "./ledger.ts";
import type { LedgerRecord } from "./record.ts";
import type { Appended, Cancel, Consequences, Draft, Edit } from "./unit.ts";

interface Who {
  readonly owner: string;
  readonly by: string;
}

/** The verbs as plain data, so that a call can cross a thread: of a kind they carry the name alone. */
export interface Verbs {
  append: {
    input: { who: Who; draft: Draft; consequences?: Consequences | undefined };
    answer: Appended;
  };
  get: { input: { who: Who; id: string }; answer: LedgerRecord | undefined };
  list: { input: { who: Who; query: Named<ListQuery> }; answer: readonly LedgerRecord[] };
  edit: {
    input: { who: Who; edit: Edit; consequences?: Consequences | undefined };
    answer: LedgerRecord;
  };
  cancel: {
    input: { who: Who; cancel: Cancel; consequences?: Consequences | undefined };
    answer: Cancelled;
  };
  claim: { input: Named<ClaimRequest>; answer: Claim };
  settle: { input: Settle; answer: Settled };
}

/** The same request with the kind's name. */
type Named<Q extends { readonly kind?: unknown }> = Omit<Q, "kind"> & {
  readonly kind: string | undefined;
};

/** A store: it answers verbs, and knows no kind by name. */
export type Store = <V extends keyof Verbs>(
  verb: V,
  input: Verbs[V]["input"],
) => Promise<Verbs[V]["answer"]>;

/** The two views over any store. States and holds are checked here, once for all stores, without zod. */
export function ledgerOver(store: Store, kinds: Kinds): Ledger {
  const check = checks(kinds);
  const work: Work = {
    claim: (request) => store("claim", { ...request, kind: request.kind.name }) as never,
    async settle(unit) {
      check.consequences("consequences" in unit ? unit.consequences : undefined);
      return (await store("settle", unit)) as never;
    },
  };
  return { of: (owner, by) => bookOver(store, { owner, by }, check), work };
}

/** Answers are typed by the kind that was asked for: the cast stands here and nowhere else. */
function bookOver(store: Store, who: Who, check: ReturnType<typeof checks>): Book {
  const book: { [V in keyof Book]: (...args: never[]) => unknown } = {
    append(draft: Draft, consequences?: Consequences) {
      check.write(draft);
      check.consequences(consequences);
      return store("append", { who, draft, consequences });
    },
    async get(id: string, kind?: { name: string }) {
      const record = await store("get", { who, id });
      return kind === undefined || record?.kind === kind.name ? record : undefined;
    },
    list: (query: ListQuery) => store("list", { who, query: { ...query, kind: query.kind?.name } }),
    edit(edit: Edit, consequences?: Consequences) {
      check.write(edit);
      check.consequences(consequences);
      return store("edit", { who, edit, consequences });
    },
    cancel(cancel: Cancel, consequences?: Consequences) {
      check.consequences(consequences);
      return store("cancel", { who, cancel, consequences });
    },
  };
  return book as unknown as Book;
}

function checks(kinds: Kinds): {
  write(write: Draft | Edit): void;
  consequences(of?: Consequences): void;
} {
  const write = (write: Draft | Edit): void => {
    const kind = kinds.get(write.kind);
    if (kind === undefined) throw new DaybookError("invalid", `Unknown kind "${write.kind}".`);
    const bad =
      "ends" in write
        ? !isEnd(kind, write.ends)
        : write.state !== undefined && !isLive(kind, write.state);
    if (bad) throw new DaybookError("invalid", `A ${kind.name} has no such state.`);
    for (const name of (write.holds ?? []).flatMap((h) =>
      typeof h === "string" ? [h] : h.oneOf,
    )) {
      if (kind.holds?.some((prefix) => name.startsWith(prefix))) continue;
      throw new DaybookError(
        "invalid",
        `A ${kind.name} cannot hold "${name}": its kind does not say so.`,
      );
    }
  };
  return {
    write,
    consequences(of = {}) {
      of.append?.forEach(write);
      of.edit?.forEach(write);
    },
  };
}
