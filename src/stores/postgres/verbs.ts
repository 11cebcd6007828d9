import type { Verb, Verbs } from "../../kernel/verbs.ts";
import type { Ids } from "../../platform/ids.ts";
import { appendAll } from "./append-batch.ts";
import { batched } from "./batch.ts";
import { claimDue } from "./claim.ts";
import type { Database } from "./database.ts";
import type { Floors } from "./floors.ts";
import { readChanges } from "./history.ts";
import { moveLane, pruneEnded } from "./maintenance.ts";
import { readOutput, writeOutput } from "./output.ts";
import { countAll, firstOfMany, getMany, isFirst, listQueue, listRecords } from "./reads.ts";
import { isPlainSettle, keepMany, settleNames, settlePlain, settleRun } from "./settle.ts";
import { isLostRace, type Session } from "./transactions.ts";
import { inRuns, runsOf } from "./units.ts";
import { cancelUnit, editUnit } from "./writes.ts";

export type StoreVerbs = {
  readonly [V in Verb]: (input: Verbs[V]["input"]) => Promise<Verbs[V]["answer"]>;
};

/** The fifteen verbs, each in as few round trips as it needs. */
export function storeVerbs(database: Database, floors: Floors, ids: Ids): StoreVerbs {
  const { read, once, write } = database;
  const appends = batched(
    (calls: readonly Verbs["append"]["input"][]) => appendAll(database, calls, ids),
    ({ draft }) => JSON.stringify(draft.body).length,
  );
  const gets = batched(
    (calls: readonly Verbs["get"]["input"][]) => read((session) => getMany(session, calls)),
    ({ id }) => id.length,
  );
  const firsts = batched(
    (calls: readonly Verbs["list"]["input"][]) => read((session) => firstOfMany(session, calls)),
    ({ who }) => who.owner.length,
  );
  const lists: StoreVerbs["list"] = ({ who, query }) =>
    read((session) => listRecords(session, who.owner, query));
  return {
    append: appends,
    edit: (input) => write((session) => editUnit(session, input, ids)),
    cancel: (input) => write((session) => cancelUnit(session, input, ids)),
    get: gets,
    list: (input) => (isFirst(input.query) ? firsts(input) : lists(input)),
    changes: ({ who, query }) => read((session) => readChanges(session, who.owner, query)),
    read: ({ who, query }) => read((session) => readOutput(session, who.owner, query)),
    inQueue: (query) => read((session) => listQueue(session, query)),
    stats: () => read(countAll),
    claim: (request) => claimDue(database, request, floors),
    keep: (units) =>
      inRuns(
        database,
        runsOf(units, () => true),
        (session, run) => keepMany(session, run.units),
      ),
    settle: (units) => settleAll(database, units, ids),
    move: (input) => once((session) => moveLane(session, input)),
    write: (chunk) => once((session) => writeOutput(session, chunk)),
    prune: (input) => write((session) => pruneEnded(session, input)),
  };
}

/** A batch of plain units is one statement. Units that it does not settle, or a lost race, need a transaction. */
async function settleAll(
  database: Database,
  units: Verbs["settle"]["input"],
  ids: Ids,
): Promise<Verbs["settle"]["answer"]> {
  const runs = runsOf(units, isPlainSettle, settleNames);
  const settle = (
    session: Session,
    run: (typeof runs)[number],
  ): Promise<Verbs["settle"]["answer"]> => settleRun(session, run, ids);
  if (runs.length !== 1 || runs[0]?.plain !== true) return inRuns(database, runs, settle);
  const done = await settleDirectly(database, units, ids);
  if (done === undefined)
    return database.write((session) => settle(session, { plain: true, units }));
  const left = units.filter((_, n) => !done.has(n));
  const rest = (
    await inRuns(
      database,
      runsOf(left, () => false),
      settle,
    )
  ).values();
  return units.map((_, n) => {
    const revision = done.get(n);
    if (revision !== undefined) return { result: "settled", revision };
    return rest.next().value ?? { result: "stale" };
  });
}

/** Undefined: a race was lost, and no unit was settled. */
function settleDirectly(
  { once }: Database,
  units: Verbs["settle"]["input"],
  ids: Ids,
): Promise<ReadonlyMap<number, number> | undefined> {
  return once(async (session) => {
    try {
      return await settlePlain(session, units, ids);
    } catch (error) {
      if (isLostRace(error)) return undefined;
      throw error;
    }
  });
}
