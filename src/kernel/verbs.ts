import { type DaybookError, hasCode, toErrorData } from "../platform/errors.ts";
import { withoutUndefined } from "../platform/json.ts";
import {
  checkClaim,
  checkDraft,
  checkEdit,
  checkConsequences,
  checkInQueue,
  checkKeep,
  checkMove,
  checkPage,
  checkPrune,
  checkReason,
  checkSettle,
  checkStream,
  checkWrite,
  checkWho,
} from "./check.ts";
import { compactConsequences, compactSettle, compactWrite } from "./compact.ts";
import type { Book, Ledger, Work } from "./ledger.ts";
import type {
  Changes,
  ChangesQuery,
  Chunk,
  ListQuery,
  Page,
  QueueQuery,
  ReadQuery,
  Stats,
} from "./reading.ts";
import type { AnyRecord, LedgerRecord } from "./record.ts";
import { held } from "./refusals.ts";
import type { Shape } from "./shape.ts";
import type { Appended, Cancel, Cancelled, Draft, Edit, Consequences, Who } from "./unit.ts";
import type {
  Claim,
  Keep,
  Kept,
  Move,
  Prune,
  Refused,
  Settle,
  Settled,
  Write,
  Written,
  ClaimInput,
} from "./work-unit.ts";

/** A query as a store gets it: it names the kind. */
export type ListInput = Omit<ListQuery, "kind"> & { kind?: string | undefined };

/** The fifteen verbs as plain data, so that a call can cross a thread, a journal or a fault. */
export interface Verbs {
  append: {
    input: { who: Who; draft: Draft; consequences?: Consequences | undefined };
    answer: Appended;
  };
  get: { input: { who: Who; id: string }; answer: AnyRecord | undefined };
  list: { input: { who: Who; query: ListInput }; answer: Page };
  edit: {
    input: { who: Who; edit: Edit; consequences?: Consequences | undefined };
    answer: AnyRecord;
  };
  cancel: {
    input: { who: Who; cancel: Cancel; consequences?: Consequences | undefined };
    answer: Cancelled;
  };
  changes: { input: { who: Who; query: ChangesQuery }; answer: Changes };
  read: { input: { who: Who; query: ReadQuery }; answer: Chunk };
  claim: { input: ClaimInput; answer: Claim };
  keep: { input: readonly Keep[]; answer: readonly Kept[] };
  settle: { input: readonly Settle[]; answer: readonly Settled[] };
  move: { input: Move; answer: number };
  write: { input: Write; answer: Written };
  prune: { input: Prune; answer: number };
  inQueue: { input: QueueQuery; answer: Page };
  stats: { input: null; answer: Stats };
}

export type Verb = keyof Verbs;

/** Those of a book, and those of work. */
export const bookVerbs = ["append", "get", "list", "edit", "cancel", "changes", "read"] as const;
export const workVerbs = [
  "claim",
  "keep",
  "settle",
  "move",
  "write",
  "prune",
  "inQueue",
  "stats",
] as const;

export type Answers = {
  readonly [V in Verb]: (input: Verbs[V]["input"]) => Verbs[V]["answer"];
};

/** A store that answers at once. Throws a `DaybookError`; then nothing of that call was written. */
export type Engine = Answers & {
  /** The queues in which something may have become due since this was last asked. */
  takeHints(): readonly string[];
};

/** How a call reaches a store. */
export type Perform = <V extends Verb>(
  verb: V,
  input: Verbs[V]["input"],
) => Promise<Verbs[V]["answer"]>;

/** What a store brings beside its verbs. */
export interface Transport {
  perform: Perform;
  onHint: Work["onHint"];
  /** Absent: the store is never lost, or comes back by itself. */
  lost?: Promise<DaybookError>;
  close(): Promise<void>;
}

const readBytesMax = 1024 * 1024;

/** The two views over any store. Input is checked here, once for all stores. */
export function ledgerOver(transport: Transport): Ledger {
  const { perform } = transport;
  return {
    of: (owner, by) => bookOver(perform, checkWho({ owner, by })),
    work: workOver(perform, transport.onHint),
    lost: transport.lost ?? new Promise(() => undefined),
    close: () => transport.close(),
  };
}

function bookOver(send: Perform, who: Who): Book {
  const perform: Perform = (verb, input) =>
    send(verb, input).catch(async (error: unknown) => {
      throw hasCode(error, "held") ? await withoutStrangers(send, who, error) : error;
    });
  return {
    async append<K extends Shape>(draft: Draft, consequences?: Consequences) {
      checkDraft(draft);
      const input = { who, draft: compactWrite(draft), consequences: checked(consequences) };
      return (await perform("append", withoutUndefined(input))) as Appended<K>;
    },
    get: (id) => perform("get", { who, id }),
    async list({ kind, ...query }) {
      checkPage(query);
      const named = kind === undefined ? query : { ...query, kind: kind.name };
      return perform("list", { who, query: named });
    },
    async edit<K extends Shape>(edit: Edit, consequences?: Consequences) {
      checkEdit(edit);
      const input = { who, edit: compactWrite(edit), consequences: checked(consequences) };
      return (await perform("edit", withoutUndefined(input))) as LedgerRecord<K>;
    },
    async cancel(cancel, consequences) {
      checkReason(cancel.reason);
      const input = { who, cancel: withoutUndefined(cancel), consequences: checked(consequences) };
      return perform("cancel", withoutUndefined(input));
    },
    async changes(query) {
      checkPage(query);
      return perform("changes", { who, query });
    },
    async read(query) {
      checkStream(query);
      const limit = Math.min(query.limit, readBytesMax);
      return perform("read", { who, query: { ...query, limit } });
    },
  } as Book;
}

/** Who holds a name is told to the owner of that record alone. */
async function withoutStrangers(
  send: Perform,
  who: Who,
  cause: DaybookError,
): Promise<DaybookError> {
  const { name, holder } = cause.details;
  const own = typeof holder === "string" && (await send("get", { who, id: holder })) !== undefined;
  return held(String(name), own ? holder : null, cause);
}

function workOver(perform: Perform, onHint: Work["onHint"]): Work {
  return {
    async claim({ kind, ...rest }) {
      const request = { ...rest, kind: kind.name };
      checkClaim(request);
      return perform("claim", request);
    },
    keep: (units) => sift(units, checkKeep, (good) => perform("keep", good.map(compactWrite))),
    settle: (units) =>
      sift(units as readonly Settle[], checkSettle, (good) =>
        perform("settle", good.map(compactSettle)),
      ),
    async move(move) {
      checkMove(move);
      return perform("move", move);
    },
    async write(chunk) {
      checkWrite(chunk);
      return perform("write", chunk);
    },
    async prune(prune) {
      checkPrune(prune);
      return perform("prune", prune);
    },
    async inQueue(query) {
      checkInQueue(query);
      return perform("inQueue", query);
    },
    stats: () => perform("stats", null),
    onHint,
  } as Work;
}

/** A unit that is wrong in itself is refused here, and touches no other. */
export async function sift<Unit, Answer>(
  units: readonly Unit[],
  check: (unit: Unit) => void,
  send: (good: readonly Unit[]) => Promise<readonly Answer[]>,
): Promise<readonly (Answer | Refused)[]> {
  const refusals = units.map((unit) => refusalOf(unit, check));
  const good = units.filter((_, index) => refusals[index] === undefined);
  const answers = (good.length > 0 ? await send(good) : []).values();
  return refusals.map((refusal) => refusal ?? (answers.next().value as Answer));
}

function refusalOf<Unit>(unit: Unit, check: (unit: Unit) => void): Refused | undefined {
  try {
    check(unit);
    return undefined;
  } catch (error) {
    return { result: "refused", error: toErrorData(error) };
  }
}

function checked(consequences: Consequences | undefined): Consequences | undefined {
  checkConsequences(consequences);
  return compactConsequences(consequences);
}
