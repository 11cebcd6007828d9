import { statesOf } from "../../kernel/kind.ts";
import type { Change } from "../../kernel/query.ts";
import type { Engine } from "../../kernel/verbs.ts";
import { resetFacts, type Facts } from "./facts.ts";
import { checkInvariant, factsOf, type Model } from "./model.ts";

/** The ledger's own story, read by cursor as anybody may read it, and held against the rules. */
export interface History {
  /** Reads what is new, of one owner or of all. */
  read(owner?: string): void;
  /** All rows of an owner so far, in order. */
  rows(owner: string): readonly Change[];
}

/** Where each kind of the program may go, written a second time so that its own definition is tested. */
const states: Readonly<Record<string, { live: readonly string[]; ends: readonly string[] }>> = {
  notification: {
    live: ["pending"],
    ends: ["delivered", "done", "failed", "cancelled", "unconfirmed", "expired"],
  },
  schedule: { live: ["active", "paused", "disabled"], ends: ["completed", "cancelled"] },
  task: {
    live: ["pending", "needs_human"],
    ends: ["completed", "failed", "skipped", "interrupted", "missed", "cancelled"],
  },
  permit: { live: ["held"], ends: ["over", "cancelled"] },
  event: { live: ["pending", "dispatched"], ends: ["completed", "failed", "cancelled"] },
  question: { live: ["open"], ends: ["answered", "expired", "cancelled"] },
  source: { live: ["active"], ends: ["cancelled"] },
  subscription: { live: ["active", "paused"], ends: ["cancelled"] },
  workspace: { live: ["pending", "standby", "running", "error"], ends: ["deleted", "cancelled"] },
  counter: { live: ["kept"], ends: ["cancelled"] },
  nag: { live: ["active", "paused"], ends: ["done", "cancelled"] },
  page: { live: ["kept", "deleted"], ends: ["cancelled"] },
  expiry: { live: ["waiting"], ends: ["over", "cancelled"] },
  profile: { live: ["kept"], ends: ["cancelled"] },
  token: { live: ["active"], ends: ["cancelled"] },
  person: { live: ["active", "unlinked"], ends: ["cancelled"] },
  invite: { live: ["open"], ends: ["used", "cancelled"] },
  webhook: { live: ["active"], ends: ["cancelled"] },
  pause: { live: ["active"], ends: ["over", "cancelled"] },
  chore: { live: ["waiting"], ends: ["cancelled"] },
  node: { live: ["running"], ends: ["stopped", "lost", "cancelled"] },
};

export function readHistory(model: Model, engine: Engine, owners: readonly string[]): History {
  const pages = owners.map((owner): Feed => ({
    who: { owner, by: "oracle" },
    after: undefined,
    rows: [],
  }));
  return {
    read(owner) {
      for (const page of pages) {
        if (owner !== undefined && owner !== page.who.owner) continue;
        for (let more = true; more;) more = readPage(model, engine, page) === pageMax;
      }
    },
    rows: (owner) => pages.find(({ who }) => who.owner === owner)?.rows ?? [],
  };
}

const pageMax = 500;

interface Feed {
  who: { owner: string; by: string };
  after: string | undefined;
  rows: Change[];
}

/** Kinds of workloads have no second definition. */
function statesIn({ kinds }: Model, name: string): (typeof states)[string] {
  const kind = kinds.get(name);
  const all = kind === undefined ? [] : statesOf(kind);
  const live = Object.keys(kind?.states ?? {});
  return { live, ends: all.filter((state) => !live.includes(state)) };
}

/** Answers how many rows were new. */
function readPage(model: Model, engine: Engine, feed: Feed): number {
  const { who, after } = feed;
  const query = after === undefined ? { limit: pageMax } : { after, limit: pageMax };
  const { changes, cursor } = engine.changes({ who, query });
  feed.after = cursor;
  for (const change of changes) {
    feed.rows.push(change);
    factsOf(model, change.id).owner = who.owner;
    recordChange(model, change);
  }
  return changes.length;
}

/** Takes one row into account. */
function recordChange(model: Model, change: Change): void {
  const facts = factsOf(model, change.id);
  if (isPrunedDigest(model, facts, change)) resetFacts(facts);
  const { live, ends } = states[change.kind] ?? statesIn(model, change.kind);
  const ended = ends.includes(change.state);
  const detail = (): string => `${JSON.stringify(facts.row)} then ${JSON.stringify(change)}`;
  checkInvariant(model, facts.end === null, "an end is written once and never changes", detail);
  checkInvariant(
    model,
    ended || live.includes(change.state),
    "a record has only states of its kind",
    detail,
  );
  checkInvariant(
    model,
    change.revision === nextRevision(facts, change),
    "the revision rises by one with every visible change",
    detail,
  );
  checkInvariant(
    model,
    !(facts.row?.what === "cancelling" && change.what === "settled" && !ended),
    "settling a cancelling record ends it",
    detail,
  );
  if (change.what === "appended") {
    checkInvariant(model, facts.row === null, "a record is appended once", detail);
    checkInvariant(model, !model.refused.has(change.id), "a refused unit writes nothing", detail);
    recordName(model, facts);
  } else {
    checkInvariant(
      model,
      facts.row !== null,
      "the history of a record starts with its append",
      detail,
    );
  }
  facts.row = change;
  recordStep(model, change);
  if (change.what === "cancelling") facts.cancelling = true;
  if (ended) {
    facts.end = change;
    facts.group?.live.delete(facts.id);
  }
}

/** The id of a digest is made of what it is for, and comes again if its quiet hours do. */
function isPrunedDigest(model: Model, facts: Facts, { what }: Change): boolean {
  const isDigest = facts.versions.at(-1)?.type === "digest";
  const old = facts.end !== null && facts.end.at < model.endedBeforeMax;
  return isDigest && old && what === "appended";
}

function nextRevision(facts: Facts, change: Change): number {
  if (facts.row === null) return 1;
  const quiet = change.what === "kept" || change.what === "lapsed";
  return facts.row.revision + (quiet ? 0 : 1);
}

function recordName(model: Model, facts: Facts): void {
  const { group } = facts;
  if (group === null) return;
  group.live.add(facts.id);
  checkInvariant(
    model,
    group.live.size <= group.size,
    "live records do not exceed the holds they share",
    () => `${group.name}: ${[...group.live].join(", ")}`,
  );
}

/** A relay's settle says `step 3`, its consequence `of {relay} step 3`: one unit, so both or neither. */
function recordStep(model: Model, { id, what, note }: Change): void {
  if (note === null) return;
  if (what === "settled" && note.startsWith("step ")) model.stepsSettled.add(`${id} ${note}`);
  if (what === "appended" && note.startsWith("of ")) model.stepsWritten.add(note.slice(3));
}
