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
  checkActor,
} from "./check.ts";
import { held } from "./ledger-errors.ts";
import type { Book, Ledger, Work } from "./ledger.ts";
import type { LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";
import type { Appended, Draft, Edit, Consequences, Actor } from "./unit.ts";
import type { Perform, Transport, bookVerbs, Verb, Verbs } from "./verbs.ts";
import type { Refused, Settle } from "./work-unit.ts";

const readBytesMax = 1024 * 1024;

/** The two views over any store. Input is checked here, once for all stores. */
export function ledgerOver(transport: Transport): Ledger {
  const { perform } = transport;
  return {
    of: (owner, by) => bookOver(perform, checkActor({ owner, by })),
    work: workOver(perform, transport.onHint),
    lost: transport.lost ?? new Promise(() => undefined),
    close: () => transport.close(),
  };
}

function bookOver(send: Perform, who: Actor): Book {
  const perform: Perform = (verb, input) =>
    send(verb, input).catch(async (error: unknown) => {
      throw hasCode(error, "held") ? await hideForeignHolder(send, who, error) : error;
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

/** Only the owner of the holding record gets its id. */
async function hideForeignHolder(
  send: Perform,
  who: Actor,
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
    keep: (units) =>
      settleEach(units, checkKeep, (good) => perform("keep", good.map(compactWrite))),
    settle: (units) =>
      settleEach(units as readonly Settle[], checkSettle, (good) =>
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

/** An invalid unit is refused here, and does not affect the others. */
export async function settleEach<Unit, Answer>(
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

/** Drops the properties that are `undefined`: those of the write itself, of its body and of its outcome. */
function compactWrite<W extends object & { body?: unknown; outcome?: unknown }>(write: W): W {
  const body = withoutUndefined(write.body);
  const outcome = withoutUndefined(write.outcome);
  const isCompact = body === write.body && outcome === write.outcome;
  return withoutUndefined(isCompact ? write : { ...write, body, outcome });
}

function compactConsequences<C extends Consequences | undefined>(consequences: C): C {
  if (consequences === undefined) return consequences;
  return withoutUndefined({
    ...consequences,
    append: consequences.append?.map(compactWrite),
    edit: consequences.edit?.map(compactWrite),
    cancel: consequences.cancel?.map(withoutUndefined),
  });
}

function compactSettle(unit: Settle): Settle {
  if ("unstarted" in unit || unit.consequences === undefined) return compactWrite(unit);
  return compactWrite({ ...unit, consequences: compactConsequences(unit.consequences) });
}

/** Books inside a transaction of the caller. */
export interface Within extends Pick<Ledger, "of"> {
  /** To be called after the commit: wakes the nodes at once. Without it they find the records at their next poll. */
  hint(): void;
}

type BookVerb = (typeof bookVerbs)[number];

/** A book's verbs, as a store runs them inside a transaction. */
export type BookVerbs = {
  readonly [V in BookVerb]: (input: Verbs[V]["input"]) => Promise<Verbs[V]["answer"]>;
};

/** Books with the same checks as outside a transaction. */
export function withinOver(verbs: BookVerbs, hint: () => void): Within {
  const { of } = ledgerOver({
    // Only books are handed out, and they have no other verbs.
    perform: <V extends Verb>(verb: V, input: Verbs[V]["input"]) =>
      (verbs[verb as BookVerb] as (input: unknown) => Promise<Verbs[V]["answer"]>)(input),
    onHint: () => () => undefined,
    close: () => Promise.resolve(),
  });
  return { of, hint };
}
