import { workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Watch } from "./calls.ts";
import { checkInvariant } from "./model.ts";
import { requestOf } from "./workspace-actions.ts";
import {
  actualLevel,
  neededBy,
  unitOf,
  desiredLevel,
  workspaceAt,
  type Backend,
  type Workspace,
} from "./workspace-notes.ts";

/** Two looks, what operations take one after another, and a lease that somebody left behind. */
const convergenceMsMax = 2 * 60_000 + 4 * 60_000;
/** What hangs is given up on after the time of its operation. */
const minutes: Readonly<Record<string, number>> = { ARCHIVING: 30, RESTORING: 30, DELETING: 10 };

/**
 * Once nothing goes wrong any more: those that were not seen at the level they should have. Each comes there in time,
 * but for what is lost.
 */
export function unconverged(watch: Watch): readonly string[] {
  const { model, engine } = watch;
  const { backend, converged, convergedStates } = model.workspaces;
  if (backend === null) return [];
  if (model.workspaces.healedAt === Infinity) model.workspaces.healedAt = watch.now();
  const waiting: string[] = [];
  for (const [id, { owner, row }] of model.facts) {
    if (!is(workspaceKind, row) || converged.has(id)) continue;
    const record = engine.get({ who: { owner, by: "oracle" }, id });
    if (!is(workspaceKind, record) || record.endedAt !== null) continue;
    if (isConverged(record, backend)) {
      converged.add(id);
      convergedStates.set(id, requestOf(record));
    } else waiting.push(checkInTime(watch, record, backend));
  }
  return waiting;
}

function isConverged(record: Workspace, backend: Backend): boolean {
  const { body, outcome, state, lease } = record;
  // Whoever is at work on it may be at something that was asked before.
  if (body.deletedAt !== null || lease !== null) return false;
  if (state === "error") return outcome?.errorInfo?.reason === "DataLost";
  const level = actualLevel(record, backend);
  return (
    level === desiredLevel(body, outcome) &&
    outcome?.operation == null &&
    state === level.toLowerCase()
  );
}

function checkInTime(watch: Watch, record: Workspace, backend: Backend): string {
  const { model, now } = watch;
  const hangMs = (minutes[record.outcome?.operation ?? ""] ?? 5) * 60_000;
  const since = Math.max(
    model.workspaces.healedAt,
    model.workspaces.requestedAt.get(record.id) ?? 0,
    // Somebody has to see that first.
    record.state === "error" ? record.updatedAt - (watch.storeNow() - now()) : 0,
    backend.engine.hangsUntil(record.id, hangMs),
  );
  const lateMs = now() - since - convergenceMsMax - (model.offsetMax - (watch.storeNow() - now()));
  const there = JSON.stringify(backend.engine.at(record.id));
  const detail = (): string => `${JSON.stringify(record)}; there is ${there}`;
  checkInvariant(model, lateMs <= 0, "every workspace reaches its desired level", detail);
  return record.id;
}

/** All that nobody has needed for hours is gone, and all that somebody needs is there. */
export function checkAllCollected(watch: Watch): void {
  const { model, storeNow, marks } = watch;
  const { backend, neededUntil } = model.workspaces;
  if (backend === null) return;
  marks.reached("all orphans were due for collection");
  const workspaces = [...model.facts.keys()].map((id) => workspaceAt(watch, id));
  const needed = new Set(workspaces.flatMap((each) => (each === undefined ? [] : neededBy(each))));
  const old = storeNow() - 3 * hourMs;
  for (const key of backend.storage.keys()) {
    const unit = unitOf(key);
    const isOrphan = !needed.has(unit) && (neededUntil.get(unit) ?? 0) < old;
    const isUnit = key.includes("/home.tar");
    checkInvariant(
      model,
      !isUnit || !isOrphan,
      "an archive that is not needed is collected",
      () => key,
    );
  }
}

const hourMs = 3_600_000;
