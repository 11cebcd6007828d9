import { notificationKind } from "../../features/notifications/kind.ts";
import type { ErrorInfo } from "../../features/workspaces/error-info.ts";
import { type WorkspaceOutcome, workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import type { StoreCall } from "../simulator/faulty-store.ts";
import { owners } from "../simulator/targets.ts";
import type { Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import { checkInvariant } from "./model.ts";
import { unitOf, desiredLevel, workspaceAt, type Workspace } from "./workspace-notes.ts";

const hourMs = 3_600_000;
const attemptsMin = 4;

/** One settle of a workspace. `facts.row` is still the row before it. */
export function watchWorkspace(watch: Watch, facts: Facts, unit: SettleOf<Shape>): void {
  const { model } = watch;
  if (!is(workspaceKind, facts.row) || model.workspaces.backend === null) return;
  const record = workspaceAt(watch, facts.id);
  if (record === undefined) return;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(
      model,
      holds,
      invariant,
      () => `${JSON.stringify(unit)}; ${JSON.stringify(record)}`,
    );
  if ("ends" in unit) checkDeleted(watch, record, must);
  else checkLevel(watch, { record, unit, before: facts.row.state, must });
}

type Must = (holds: boolean, invariant: string) => void;

function checkDeleted({ model, marks }: Watch, { id, body }: Workspace, must: Must): void {
  marks.reached("a workspace was deleted");
  const there = model.workspaces.backend?.engine.at(id);
  must(
    there?.machine === null && there.volume === null,
    "a deleted workspace has no machine and no volume",
  );
  must(body.deletedAt !== null, "a workspace is deleted only on request");
}

interface Settling {
  readonly record: Workspace;
  readonly unit: SettleOf<Shape>;
  readonly before: string;
  readonly must: Must;
}

function checkLevel(watch: Watch, { record, unit, before, must }: Settling): void {
  const after = "state" in unit ? unit.state : before;
  if (before === "error")
    must(after === "error", "ERROR stays until a person recovers the workspace");
  else if (after === "error") checkError(watch, record, unit, must);
  const outcome = unit.outcome as WorkspaceOutcome | undefined;
  if (outcome?.errorCount === 0) watch.model.workspaces.faultCounts.delete(record.id);
  if (outcome?.own) checkChoice(watch, record, outcome.own, must);
  if (after === before) return;
  watch.marks.reached(`a workspace became ${after}`);
  if (after === "running") checkWaiting(watch, record, must);
}

/** It is said once, to each who should hear it; and the reason is what happened. */
function checkError(watch: Watch, record: Workspace, unit: SettleOf<Shape>, must: Must): void {
  const { backend } = watch.model.workspaces;
  const said = (unit.consequences?.append ?? []).filter((draft) => is(notificationKind, draft));
  const to = said.map(({ body }) => body.target).toSorted();
  const due = [...new Set([record.body.target, backend?.administrator ?? ""])].toSorted();
  must(
    to.join() === due.join(),
    "ERROR is reported once to the owner and once to the administrator",
  );
  const info = record.outcome?.errorInfo ?? null;
  watch.marks.reached(`ERROR ${info?.reason}`);
  if (info !== null) checkReason(watch, record, info, must);
}

function checkReason({ model }: Watch, record: Workspace, info: ErrorInfo, must: Must): void {
  const { backend, faultCounts } = model.workspaces;
  const { reason, context } = info;
  if (reason === "DataLost") {
    const key = record.outcome?.archiveKey ?? "";
    const isGood = [key, `${key}.meta`].every((each) => backend?.storage.at(each)?.isGood);
    return must(!isGood, "data loss is reported only when an archive is bad");
  }
  if (reason === "Timeout") {
    const isLate = Number(context["elapsed_seconds"]) >= Number(context["limit_seconds"]);
    return must(isLate, "a timeout is reported only after the limit");
  }
  must((faultCounts.get(record.id) ?? 0) >= attemptsMin, "ERROR comes only after repeated faults");
}

/** What it chose by itself: nobody had used it for so long, and nobody has asked since. */
function checkChoice(
  { model, marks, now }: Watch,
  { id, body }: Workspace,
  own: NonNullable<WorkspaceOutcome["own"]>,
  must: Must,
): void {
  const chosen = JSON.stringify(own);
  if (model.workspaces.choices.get(id) === chosen) return;
  model.workspaces.choices.set(id, chosen);
  must(own.asks === body.asks, "an automatic choice does not override a newer request");
  marks.reached(`chose ${own.desired} because of ${own.because}`);
  if (own.because !== "idle") return;
  const standbyMs = body.standbyTtlSeconds * 1_000;
  const archiveMs = Math.min(body.archiveTtlSeconds * 1_000, Math.max(standbyMs, hourMs));
  const idleMs = own.desired === "STANDBY" ? standbyMs : archiveMs;
  // Its node may not have heard yet that the store's clock went back.
  must(
    now() + model.offsetMax >= body.lastAccessAt + idleMs,
    "only an idle workspace is put on standby",
  );
}

/** Whoever waits for it is woken in the unit that says that it runs. */
function checkWaiting({ engine, storeNow, marks }: Watch, record: Workspace, must: Must): void {
  for (const id of record.body.waiting) {
    const task = engine.get({ who: { owner: record.owner, by: "oracle" }, id });
    if (task === undefined || task.endedAt !== null || task.lease !== null) continue;
    marks.reached("a task was woken by its workspace");
    must(
      (task.wakeAt ?? Infinity) <= storeNow(),
      "a waiting task is woken when its workspace runs",
    );
  }
}

/** After each call that may have changed a workspace. */
export function watchWorkspaceCalls(watch: Watch, call: StoreCall): void {
  const { workspaces } = watch.model;
  if (workspaces.backend === null || call.answer === undefined) return;
  const requested = requestedIds(call);
  for (const id of requested) workspaces.requestedAt.set(id, watch.now());
  const ids = [...requested, ...settledIds(watch, call)];
  for (const id of ids) recordWorkspace(watch, id);
  if (ids.length > 0) checkRunningLimits(watch);
}

/** Those that somebody asks something of. */
function requestedIds({ verb, input, answer }: StoreCall): readonly string[] {
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
function settledIds({ model }: Watch, { verb, input }: StoreCall): readonly string[] {
  if (verb !== "settle" && verb !== "keep") return [];
  const units: readonly { id: string }[] = input;
  return units.map(({ id }) => id).filter((id) => is(workspaceKind, model.facts.get(id)?.row));
}

/** Until when each archive was needed, and who is to run. */
function recordWorkspace(watch: Watch, id: string): void {
  const { neededUntil, toRun } = watch.model.workspaces;
  const record = workspaceAt(watch, id);
  const { archiveKey = null, opId = null } = record?.outcome ?? {};
  if (archiveKey !== null) neededUntil.set(unitOf(archiveKey), watch.storeNow());
  if (opId !== null) neededUntil.set(`archives/${id}/${opId}/`, watch.storeNow());
  if (record?.endedAt === null && isToRun(record)) toRun.set(id, record.owner);
  else toRun.delete(id);
}

/** So many are to run. */
function checkRunningLimits({ model, marks }: Watch): void {
  const { backend, toRun } = model.workspaces;
  const { limits = { perOwner: 0, inAll: 0 } } = backend ?? {};
  const counts = owners.map((owner) =>
    toRun.values().reduce((n, each) => n + Number(each === owner), 0),
  );
  const most = Math.max(...counts);
  const detail = (): string => counts.join(" and ");
  if (most === limits.perOwner) marks.reached("an owner reached its limit of workspaces");
  if (toRun.size === limits.inAll) marks.reached("all capacity for workspaces is used");
  checkInvariant(
    model,
    most <= limits.perOwner,
    "an owner does not exceed its limit of running workspaces",
    detail,
  );
  checkInvariant(
    model,
    toRun.size <= limits.inAll,
    "the limit of running workspaces is not exceeded",
    detail,
  );
}

/** What was asked and what was chosen, not what happens to be up: it may be on its way down. */
function isToRun({ body, outcome }: Workspace): boolean {
  return desiredLevel(body, outcome) === "RUNNING";
}
