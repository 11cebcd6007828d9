import { makeNotification, notificationKind } from "../../features/notifications/kind.ts";
import { is, type Kind } from "../../kernel/kind.ts";
import type { Change } from "../../kernel/query.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Workload } from "../simulator/workload.ts";
import { timesHeard, timesHeardOf } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import { demand, factsOf } from "./notes.ts";
import { checkOutput } from "./output.ts";

interface Ending {
  watch: Watch;
  feeds: ReadonlyMap<string, readonly Change[]>;
  toldIds: ReadonlySet<string>;
  owners: readonly string[];
  workloads: readonly Workload[];
}

/** Everything at once, after healing: what is there is what was asked and nothing else. */
export function checkEnd(ending: Ending): void {
  const { watch, owners, workloads } = ending;
  const { notes } = watch;
  const found = new Map(owners.flatMap((owner) => allRecords(watch, owner)).map((r) => [r.id, r]));
  for (const record of found.values()) {
    const known = notes.facts.get(record.id)?.row !== null;
    demand(notes, known, "every record has a history", () => record.id);
    checkShape(watch, notes.kinds.get(record.kind), record);
  }
  for (const facts of notes.facts.values()) {
    const record = found.get(facts.id);
    const rests = notes.kinds.get(record?.kind ?? "")?.wakeTimeOptional ?? false;
    if (facts.row !== null) checkRecord(watch, facts, record, rests);
    if (facts.output.length > 0 && found.has(facts.id)) readBack(watch, facts);
    checkArrivals(watch, facts);
  }
  for (const id of ending.toldIds) {
    demand(notes, notes.facts.get(id)?.row != null, "an acknowledged append is there", () => id);
  }
  for (const owner of owners) checkFeed(ending, owner, found);
  checkWorkloads(watch, owners, workloads);
  checkSteps(watch);
  checkHolds(watch);
}

/** The rules of the workloads hold at every moment, also between two commits. */
export function checkWorkloads(
  watch: Watch,
  owners: readonly string[],
  workloads: readonly Workload[],
): void {
  if (workloads.length === 0) return;
  for (const owner of owners) {
    const own = allRecords(watch, owner);
    const problems = workloads.flatMap((each) => each.problems(own));
    demand(watch.notes, problems.length === 0, "the rules of each feature hold", () =>
      problems.join("; "),
    );
  }
}

function allRecords({ engine }: Watch, owner: string): readonly AnyRecord[] {
  const all: AnyRecord[] = [];
  let after: string | null | undefined;
  while (after !== null) {
    const query = { limit: 500, ...(after === undefined ? {} : { after }) };
    const page = engine.list({ who: { owner, by: "oracle" }, query });
    all.push(...page.records);
    after = page.next;
  }
  return all;
}

function checkRecord(
  { notes }: Watch,
  facts: Facts,
  record: AnyRecord | undefined,
  rests: boolean,
): void {
  const { end, row } = facts;
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => `${JSON.stringify(record)}; ${JSON.stringify(row)}`);
  if (record === undefined) {
    const old = end !== null && end.at < notes.endedBeforeMax;
    return must(old, "only what ended long ago is forgotten");
  }
  must(record.state === row?.state, "the state is the one of the newest change");
  must(record.revision === row?.revision, "the revision is the one of the newest change");
  must((record.endedAt === null) === (end === null), "an end has a time");
  must(record.owner === facts.owner, "a record stays its owner's");
  if (end === null) {
    must(rests || record.wakeAt !== null, "no live record waits without a time");
  } else {
    must(record.wakeAt === null && record.lease === null, "an ended record is at rest");
    must(end.what !== "cancelling", "cancelling is no end");
  }
  if (is(notificationKind, record)) {
    must(record.body.message === facts.versions.at(-1)?.text, "no edit is lost");
  }
}

/** What is stored is what its kind's schemas describe. A record whose outcome is null has none yet. */
function checkShape({ notes }: Watch, kind: Kind | undefined, record: AnyRecord): void {
  const { body, outcome } = kind ?? {};
  const errors = [
    body?.safeParse(record.body).error,
    record.outcome === null ? undefined : outcome?.safeParse(record.outcome).error,
  ].filter((error) => error !== undefined);
  const tell = (): string => `${JSON.stringify(record)}: ${errors.join("; ")}`;
  demand(notes, errors.length === 0, "every record is as its kind says", tell);
}

function checkArrivals({ notes }: Watch, facts: Facts): void {
  const { end, outcome, arrivals, together } = facts;
  const texts = [...arrivals, ...facts.versions].map(({ text }) => text);
  const last = timesHeardOf(facts, texts.at(-1) ?? "");
  const tell = (): string =>
    `${facts.id} ${end?.state}: ${JSON.stringify({ outcome, arrivals, together })}`;
  const maybe =
    outcome?.maybeDelivered === true ||
    together.some(({ digest }) => factsOf(notes, digest).outcome?.maybeDelivered === true);
  if (end?.state === "delivered" && facts.versions.at(-1)?.type !== "mark") {
    demand(notes, timesHeard(facts) > 0, "delivered has arrived", tell);
    const once = texts.every((text) => timesHeardOf(facts, text) < 2);
    demand(notes, once || maybe, "who may have been told twice is said to be", tell);
  }
  if (end?.state === "failed" || end?.state === "expired") {
    demand(notes, last === 0 || maybe, "what may have arrived all the same says so", tell);
  }
}

/** The feed by cursor, through every fault, is the whole history but for what was forgotten. */
function checkFeed(ending: Ending, owner: string, found: ReadonlyMap<string, AnyRecord>): void {
  const { notes, history } = ending.watch;
  const feed = ending.feeds.get(owner) ?? [];
  let at = 0;
  for (const row of history.rows(owner)) {
    const next = feed[at];
    if (next !== undefined && sameRow(next, row)) at += 1;
    else {
      const tell = (): string => `${JSON.stringify(row)}, got ${JSON.stringify(next)}`;
      demand(notes, !found.has(row.id), "the feed has no gap", tell);
    }
  }
  const tell = (): string => `${feed.length} rows, of which ${at} in order`;
  demand(notes, at === feed.length, "the feed tells each change once, in order", tell);
}

function sameRow(a: Change, b: Change): boolean {
  return a.id === b.id && a.what === b.what && a.revision === b.revision && a.at === b.at;
}

function checkSteps({ notes }: Watch): void {
  const { stepsSettled, stepsFollowed } = notes;
  const alone = [...stepsSettled.symmetricDifference(stepsFollowed)];
  const tell = (): string => alone.join(", ");
  demand(notes, alone.length === 0, "cause and consequence stand together or not at all", tell);
}

/** With every holder gone, every name can be had again. */
function checkHolds({ notes, engine }: Watch): void {
  const who = { owner: "prober", by: "oracle" };
  const body = { message: "probe", at: 0, atText: "", target: "sim:probe", origin: "sim:probe" };
  for (const group of notes.groups.values()) {
    if (group.live.size > 0) continue;
    for (const name of group.name.split(" ")) {
      try {
        const { id } = engine.append({ who, draft: { ...makeNotification(body), holds: [name] } });
        engine.cancel({ who, cancel: { id } });
      } catch (error) {
        demand(notes, false, "every end frees its names", () => `${name}: ${String(error)}`);
      }
    }
  }
}

function readBack({ notes, engine }: Watch, { id, owner, output, stream }: Facts): void {
  const query = { id, stream, offset: 0, limit: output.length };
  const chunk = engine.read({ who: { owner, by: "oracle" }, query });
  checkOutput(notes, { ...query, ...chunk }, output);
}
