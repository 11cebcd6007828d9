import { makeNotification, notificationKind } from "../../features/notifications/kind.ts";
import { is, type Kind } from "../../kernel/kind.ts";
import type { Change } from "../../kernel/query.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Workload } from "../simulator/workload.ts";
import { timesArrived, timesTextArrived } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import { checkInvariant, factsOf } from "./model.ts";
import { checkOutput } from "./output.ts";

interface Ending {
  watch: Watch;
  feeds: ReadonlyMap<string, readonly Change[]>;
  acknowledgedIds: ReadonlySet<string>;
  owners: readonly string[];
  workloads: readonly Workload[];
}

/** Everything at once, after healing: what is there is what was asked and nothing else. */
export function checkEnd(ending: Ending): void {
  const { watch, owners, workloads } = ending;
  const { model } = watch;
  const found = new Map(owners.flatMap((owner) => allRecords(watch, owner)).map((r) => [r.id, r]));
  for (const record of found.values()) {
    const known = model.facts.get(record.id)?.row !== null;
    checkInvariant(model, known, "every record has a history", () => record.id);
    checkShape(watch, model.kinds.get(record.kind), record);
  }
  for (const facts of model.facts.values()) {
    const record = found.get(facts.id);
    const wakeTimeOptional = model.kinds.get(record?.kind ?? "")?.wakeTimeOptional ?? false;
    if (facts.row !== null) checkRecord(watch, facts, record, wakeTimeOptional);
    if (facts.output.length > 0 && found.has(facts.id)) readBack(watch, facts);
    checkArrivals(watch, facts);
  }
  for (const id of ending.acknowledgedIds) {
    checkInvariant(
      model,
      model.facts.get(id)?.row != null,
      "an acknowledged append exists",
      () => id,
    );
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
    checkInvariant(watch.model, problems.length === 0, "the rules of each feature hold", () =>
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
  { model }: Watch,
  facts: Facts,
  record: AnyRecord | undefined,
  wakeTimeOptional: boolean,
): void {
  const { end, row } = facts;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(
      model,
      holds,
      invariant,
      () => `${JSON.stringify(record)}; ${JSON.stringify(row)}`,
    );
  if (record === undefined) {
    const old = end !== null && end.at < model.endedBeforeMax;
    return must(old, "only records past their retention are pruned");
  }
  must(record.state === row?.state, "the state of a record is that of its newest change");
  must(record.revision === row?.revision, "the revision of a record is that of its newest change");
  must((record.endedAt === null) === (end === null), "an ended record has the time of its end");
  must(record.owner === facts.owner, "the owner of a record never changes");
  if (end === null) {
    must(wakeTimeOptional || record.wakeAt !== null, "every live record has a wake time");
  } else {
    must(
      record.wakeAt === null && record.lease === null,
      "an ended record has no wake time and no lease",
    );
    must(end.what !== "cancelling", "cancelling is not an end");
  }
  if (is(notificationKind, record)) {
    must(record.body.message === facts.versions.at(-1)?.text, "no edit is lost");
  }
}

/** What is stored is what its kind's schemas describe. A record whose outcome is null has none yet. */
function checkShape({ model }: Watch, kind: Kind | undefined, record: AnyRecord): void {
  const { body, outcome } = kind ?? {};
  const errors = [
    body?.safeParse(record.body).error,
    record.outcome === null ? undefined : outcome?.safeParse(record.outcome).error,
  ].filter((error) => error !== undefined);
  const detail = (): string => `${JSON.stringify(record)}: ${errors.join("; ")}`;
  checkInvariant(
    model,
    errors.length === 0,
    "every record matches the schemas of its kind",
    detail,
  );
}

function checkArrivals({ model }: Watch, facts: Facts): void {
  const { end, outcome, arrivals, digestArrivals } = facts;
  const texts = [...arrivals, ...facts.versions].map(({ text }) => text);
  const last = timesTextArrived(facts, texts.at(-1) ?? "");
  const detail = (): string =>
    `${facts.id} ${end?.state}: ${JSON.stringify({ outcome, arrivals, digestArrivals })}`;
  const maybe =
    outcome?.maybeDelivered === true ||
    digestArrivals.some(({ digest }) => factsOf(model, digest).outcome?.maybeDelivered === true);
  if (end?.state === "delivered" && facts.versions.at(-1)?.type !== "mark") {
    checkInvariant(model, timesArrived(facts) > 0, "a delivered message has arrived", detail);
    const once = texts.every((text) => timesTextArrived(facts, text) < 2);
    checkInvariant(
      model,
      once || maybe,
      "a message that may have arrived twice is marked as such",
      detail,
    );
  }
  if (end?.state === "failed" || end?.state === "expired") {
    checkInvariant(
      model,
      last === 0 || maybe,
      "a failed message that may have arrived is marked as such",
      detail,
    );
  }
}

/** The feed by cursor, through every fault, is the whole history but for what was forgotten. */
function checkFeed(ending: Ending, owner: string, found: ReadonlyMap<string, AnyRecord>): void {
  const { model, history } = ending.watch;
  const feed = ending.feeds.get(owner) ?? [];
  let at = 0;
  for (const row of history.rows(owner)) {
    const next = feed[at];
    if (next !== undefined && sameRow(next, row)) at += 1;
    else {
      const detail = (): string => `${JSON.stringify(row)}, got ${JSON.stringify(next)}`;
      checkInvariant(model, !found.has(row.id), "the feed has no gap", detail);
    }
  }
  const detail = (): string => `${feed.length} rows, of which ${at} in order`;
  checkInvariant(model, at === feed.length, "the feed has each change once, in order", detail);
}

function sameRow(a: Change, b: Change): boolean {
  return a.id === b.id && a.what === b.what && a.revision === b.revision && a.at === b.at;
}

function checkSteps({ model }: Watch): void {
  const { stepsSettled, stepsWritten } = model;
  const alone = [...stepsSettled.symmetricDifference(stepsWritten)];
  const detail = (): string => alone.join(", ");
  checkInvariant(
    model,
    alone.length === 0,
    "a step and its consequence are committed together",
    detail,
  );
}

/** With every holder gone, every name can be had again. */
function checkHolds({ model, engine }: Watch): void {
  const who = { owner: "prober", by: "oracle" };
  const body = { message: "probe", at: 0, atText: "", target: "sim:probe", origin: "sim:probe" };
  for (const group of model.groups.values()) {
    if (group.live.size > 0) continue;
    for (const name of group.name.split(" ")) {
      try {
        const { id } = engine.append({ who, draft: { ...makeNotification(body), holds: [name] } });
        engine.cancel({ who, cancel: { id } });
      } catch (error) {
        checkInvariant(
          model,
          false,
          "every end releases its holds",
          () => `${name}: ${String(error)}`,
        );
      }
    }
  }
}

function readBack({ model, engine }: Watch, { id, owner, output, stream }: Facts): void {
  const query = { id, stream, offset: 0, limit: output.length };
  const chunk = engine.read({ who: { owner, by: "oracle" }, query });
  checkOutput(model, { ...query, ...chunk }, output);
}
