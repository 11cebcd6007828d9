import { notificationKind } from "../../features/notifications/kind.ts";
import type { ErrorInfo } from "../../features/workspaces/error-info.ts";
import { type WorkspaceOutcome, workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import type { Witnessed } from "../simulator/faulty-store.ts";
import { owners } from "../simulator/targets.ts";
import { unitOf, wantedOf, workspaceAt, type Workspace } from "./always-notes.ts";
import type { Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import { demand } from "./notes.ts";

const hourMs = 3_600_000;
const attemptsMin = 4;

/** One settle of a workspace. `facts.row` is still the row before it. */
export function watchKept(watch: Watch, facts: Facts, unit: SettleOf<Shape>): void {
  const { notes } = watch;
  if (!is(workspaceKind, facts.row) || notes.always.outside === null) return;
  const record = workspaceAt(watch, facts.id);
  if (record === undefined) return;
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => `${JSON.stringify(unit)}; ${JSON.stringify(record)}`);
  if ("ends" in unit) checkDeleted(watch, record, must);
  else checkLevel(watch, { record, unit, before: facts.row.state, must });
}

type Must = (holds: boolean, invariant: string) => void;

function checkDeleted({ notes, marks }: Watch, { id, body }: Workspace, must: Must): void {
  marks.reached("a workspace was deleted");
  const there = notes.always.outside?.engine.at(id);
  must(there?.machine === null && there.volume === null, "what is deleted is gone");
  must(body.deletedAt !== null, "only its user deletes a workspace");
}

interface Settling {
  readonly record: Workspace;
  readonly unit: SettleOf<Shape>;
  readonly before: string;
  readonly must: Must;
}

function checkLevel(watch: Watch, { record, unit, before, must }: Settling): void {
  const after = "state" in unit ? unit.state : before;
  if (before === "error") must(after === "error", "ERROR stays until somebody recovers it");
  else if (after === "error") checkError(watch, record, unit, must);
  const outcome = unit.outcome as WorkspaceOutcome | undefined;
  if (outcome?.errorCount === 0) watch.notes.always.harms.delete(record.id);
  if (outcome?.own) checkChoice(watch, record, outcome.own, must);
  if (after === before) return;
  watch.marks.reached(`a workspace became ${after}`);
  if (after === "running") checkWaiting(watch, record, must);
}

/** It is said once, to each who should hear it; and the reason is what happened. */
function checkError(watch: Watch, record: Workspace, unit: SettleOf<Shape>, must: Must): void {
  const { outside } = watch.notes.always;
  const said = (unit.consequences?.append ?? []).filter((draft) => is(notificationKind, draft));
  const to = said.map(({ body }) => body.target).toSorted();
  const due = [...new Set([record.body.target, outside?.administrator ?? ""])].toSorted();
  must(to.join() === due.join(), "ERROR is told once to the owner and once to the administrator");
  const info = record.outcome?.errorInfo ?? null;
  watch.marks.reached(`ERROR ${info?.reason}`);
  if (info !== null) checkReason(watch, record, info, must);
}

function checkReason({ notes }: Watch, record: Workspace, info: ErrorInfo, must: Must): void {
  const { outside, harms } = notes.always;
  const { reason, context } = info;
  if (reason === "DataLost") {
    const key = record.outcome?.archiveKey ?? "";
    const isGood = [key, `${key}.meta`].every((each) => outside?.storage.at(each)?.isGood);
    return must(!isGood, "lost is what is lost");
  }
  if (reason === "Timeout") {
    const isLate = Number(context["elapsed_seconds"]) >= Number(context["limit_seconds"]);
    return must(isLate, "late is what took too long");
  }
  must((harms.get(record.id) ?? 0) >= attemptsMin, "ERROR comes after so many faults");
}

/** What it chose by itself: nobody had used it for so long, and nobody has asked since. */
function checkChoice(
  { notes, marks, now }: Watch,
  { id, body }: Workspace,
  own: NonNullable<WorkspaceOutcome["own"]>,
  must: Must,
): void {
  const chosen = JSON.stringify(own);
  if (notes.always.owns.get(id) === chosen) return;
  notes.always.owns.set(id, chosen);
  must(own.asks === body.asks, "nobody is overruled who asked meanwhile");
  marks.reached(`chose ${own.desired} because of ${own.because}`);
  if (own.because !== "idle") return;
  const standbyMs = body.standbyTtlSeconds * 1_000;
  const archiveMs = Math.min(body.archiveTtlSeconds * 1_000, Math.max(standbyMs, hourMs));
  const idleMs = own.desired === "STANDBY" ? standbyMs : archiveMs;
  // Its node may not have heard yet that the store's clock went back.
  must(now() + notes.offsetMax >= body.lastAccessAt + idleMs, "only what is not used sleeps");
}

/** Whoever waits for it is woken in the unit that says that it runs. */
function checkWaiting({ engine, storeNow, marks }: Watch, record: Workspace, must: Must): void {
  for (const id of record.body.waiting) {
    const task = engine.get({ who: { owner: record.owner, by: "oracle" }, id });
    if (task === undefined || task.endedAt !== null || task.lease !== null) continue;
    marks.reached("a task was woken by its workspace");
    must((task.wakeAt ?? Infinity) <= storeNow(), "who waits for it is woken when it runs");
  }
}

/** After each call that may have changed a workspace. */
export function watchPlaces(watch: Watch, call: Witnessed): void {
  const { always } = watch.notes;
  if (always.outside === null || call.answer === undefined) return;
  const asked = askedIn(call);
  for (const id of asked) always.askedAt.set(id, watch.now());
  const ids = [...asked, ...keptIn(watch, call)];
  for (const id of ids) takeWritten(watch, id);
  if (ids.length > 0) checkPlaces(watch);
}

/** Those that somebody asks something of. */
function askedIn({ verb, input, answer }: Witnessed): readonly string[] {
  if (verb === "append")
    return is(workspaceKind, input.draft) && answer !== undefined ? [answer.id] : [];
  if (verb === "edit") return is(workspaceKind, input.edit) ? [input.edit.id] : [];
  if (verb !== "settle") return [];
  const edits = input.flatMap((unit) =>
    "consequences" in unit ? (unit.consequences?.edit ?? []) : [],
  );
  return edits.filter(({ kind }) => kind === "workspace").map(({ id }) => id);
}

/** Those that a node has written something of. */
function keptIn({ notes }: Watch, { verb, input }: Witnessed): readonly string[] {
  if (verb !== "settle" && verb !== "keep") return [];
  const units: readonly { id: string }[] = input;
  return units.map(({ id }) => id).filter((id) => is(workspaceKind, notes.facts.get(id)?.row));
}

/** Until when each archive was needed, and who is to run. */
function takeWritten(watch: Watch, id: string): void {
  const { neededUntil, toRun } = watch.notes.always;
  const record = workspaceAt(watch, id);
  const { archiveKey = null, opId = null } = record?.outcome ?? {};
  if (archiveKey !== null) neededUntil.set(unitOf(archiveKey), watch.storeNow());
  if (opId !== null) neededUntil.set(`archives/${id}/${opId}/`, watch.storeNow());
  if (record?.endedAt === null && isToRun(record)) toRun.set(id, record.owner);
  else toRun.delete(id);
}

/** So many are to run. */
function checkPlaces({ notes, marks }: Watch): void {
  const { outside, toRun } = notes.always;
  const { limits = { perOwner: 0, inAll: 0 } } = outside ?? {};
  const counts = owners.map((owner) =>
    toRun.values().reduce((n, each) => n + Number(each === owner), 0),
  );
  const most = Math.max(...counts);
  const tell = (): string => counts.join(" and ");
  if (most === limits.perOwner) marks.reached("all places of an owner are taken");
  if (toRun.size === limits.inAll) marks.reached("all places for workspaces are taken");
  demand(notes, most <= limits.perOwner, "no owner has more that are to run than may", tell);
  demand(notes, toRun.size <= limits.inAll, "no more are to run in all than may", tell);
}

/** What was asked and what was chosen, not what happens to be up: it may be on its way down. */
function isToRun({ body, outcome }: Workspace): boolean {
  return wantedOf(body, outcome) === "RUNNING";
}
