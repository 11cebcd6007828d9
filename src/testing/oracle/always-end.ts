import { workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import { askedOf } from "./always-acts.ts";
import {
  levelThere,
  neededBy,
  unitOf,
  wantedOf,
  workspaceAt,
  type Outside,
  type Workspace,
} from "./always-notes.ts";
import type { Watch } from "./calls.ts";
import { demand } from "./notes.ts";

/** Two looks, what operations take one after another, and a lease that somebody left behind. */
const inTimeMs = 2 * 60_000 + 4 * 60_000;
/** What hangs is given up on after the time of its operation. */
const minutes: Readonly<Record<string, number>> = { ARCHIVING: 30, RESTORING: 30, DELETING: 10 };

/**
 * Once nothing goes wrong any more: those that were not seen at the level they should have. Each comes there in time,
 * but for what is lost.
 */
export function unconverged(watch: Watch): readonly string[] {
  const { notes, engine } = watch;
  const { outside, converged, atRest } = notes.always;
  if (outside === null) return [];
  if (notes.always.healedAt === Infinity) notes.always.healedAt = watch.now();
  const waiting: string[] = [];
  for (const [id, { owner, row }] of notes.facts) {
    if (!is(workspaceKind, row) || converged.has(id)) continue;
    const record = engine.get({ who: { owner, by: "oracle" }, id });
    if (!is(workspaceKind, record) || record.endedAt !== null) continue;
    if (isConverged(record, outside)) {
      converged.add(id);
      atRest.set(id, askedOf(record));
    } else waiting.push(tellOf(watch, record, outside));
  }
  return waiting;
}

function isConverged(record: Workspace, outside: Outside): boolean {
  const { body, outcome, state, lease } = record;
  // Whoever is at work on it may be at something that was asked before.
  if (body.deletedAt !== null || lease !== null) return false;
  if (state === "error") return outcome?.errorInfo?.reason === "DataLost";
  const level = levelThere(record, outside);
  return (
    level === wantedOf(body, outcome) && outcome?.operation == null && state === level.toLowerCase()
  );
}

function tellOf(watch: Watch, record: Workspace, outside: Outside): string {
  const { notes, now } = watch;
  const hangMs = (minutes[record.outcome?.operation ?? ""] ?? 5) * 60_000;
  const since = Math.max(
    notes.always.healedAt,
    notes.always.askedAt.get(record.id) ?? 0,
    // Somebody has to see that first.
    record.state === "error" ? record.updatedAt - (watch.storeNow() - now()) : 0,
    outside.engine.hangsUntil(record.id, hangMs),
  );
  const lateMs = now() - since - inTimeMs - (notes.offsetMax - (watch.storeNow() - now()));
  const there = JSON.stringify(outside.engine.at(record.id));
  const tell = (): string => `${JSON.stringify(record)}; there is ${there}`;
  demand(notes, lateMs <= 0, "every workspace comes to the level it should have", tell);
  return record.id;
}

/** All that nobody has needed for hours is gone, and all that somebody needs is there. */
export function checkAllCollected(watch: Watch): void {
  const { notes, storeNow, marks } = watch;
  const { outside, neededUntil } = notes.always;
  if (outside === null) return;
  marks.reached("all orphans were to be collected");
  const workspaces = [...notes.facts.keys()].map((id) => workspaceAt(watch, id));
  const needed = new Set(workspaces.flatMap((each) => (each === undefined ? [] : neededBy(each))));
  const old = storeNow() - 3 * hourMs;
  for (const key of outside.storage.keys()) {
    const unit = unitOf(key);
    const isOrphan = !needed.has(unit) && (neededUntil.get(unit) ?? 0) < old;
    const isUnit = key.includes("/home.tar");
    demand(notes, !isUnit || !isOrphan, "what nobody needs is collected", () => key);
  }
}

const hourMs = 3_600_000;
