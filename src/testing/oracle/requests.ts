import { type ProfileKind, profileKind } from "../../features/accounts/profile.ts";
import { notificationKind, type NotificationKind } from "../../features/notifications/kind.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Body } from "../../kernel/shape.ts";
import type { Draft, Edit, Consequences, Hold, Wake } from "../../kernel/unit.ts";
import { type DaybookError, hasCode } from "../../platform/errors.ts";
import type { CallOf, Watch } from "./calls.ts";
import { recordWhen } from "./event-notes.ts";
import { watchAnswer } from "./event-settles.ts";
import { type Facts } from "./facts.ts";
import type { Group } from "./facts.ts";
import { checkInvariant, factsOf, nextOrder, type Model } from "./model.ts";
import { checkTakenBack, recordNag, recordNagEdit } from "./nags.ts";
import { recordNotice, versionOf } from "./notices.ts";
import { checkScheduleEnd, isCancelled, recordScheduleEnd } from "./schedule-ends.ts";
import { recordSchedule, recordScheduleEdit } from "./slots.ts";

/** What was asked for, and what the store said to it. */
export function watchAppend(watch: Watch, { input, answer, error }: CallOf<"append">): void {
  const { model, marks } = watch;
  const { who, draft, consequences } = input;
  if (answer === undefined) return watchRefusal(watch, input, error);
  const facts = factsOf(model, answer.id);
  if (answer.fresh) {
    recordDraft(watch, who.owner, draft, answer.id);
    recordConsequences(watch, who.owner, consequences);
  } else {
    watch.history.read(who.owner);
    marks.reached(
      draft.key === undefined ? "an id was appended again" : "a key was appended again",
    );
    // A slot may have been written by the scheduler, under an id that the store made.
    const isSame = is(taskKind, draft) || keyContent(draft) === facts.requested;
    const detail = (): string => `${JSON.stringify(draft)} answered ${answer.id}`;
    checkInvariant(model, isSame, "a key stands for one body", detail);
  }
  checkInvariant(
    model,
    facts.owner === who.owner,
    "records of another owner are not accessible",
    () => answer.id,
  );
  if (draft.key === undefined) return;
  const name = `${who.owner} ${draft.kind} ${draft.key.name}`;
  const first = model.keys.get(name);
  model.keys.set(name, answer.id);
  if (first === undefined || first === answer.id) return;
  // Another record may have the key only when the first one is forgotten.
  const found = watch.engine.get({ who, id: first });
  checkInvariant(
    model,
    found === undefined,
    "a key maps to one record",
    () => `${first}, ${answer.id}`,
  );
}

function watchRefusal(watch: Watch, input: CallOf<"append">["input"], error: unknown): void {
  const { model, marks } = watch;
  const { who, draft, consequences } = input;
  for (const { id } of [draft, ...(consequences?.append ?? [])]) {
    if (id !== undefined && !model.facts.has(id)) model.refused.add(id);
  }
  if (hasCode(error, "held")) checkHeld(watch, who.owner, draft, error);
  if (hasCode(error, "conflict") && draft.key !== undefined) {
    marks.reached("a key conflict");
    const first = model.keys.get(`${who.owner} ${draft.kind} ${draft.key.name}`);
    const isOther = first !== undefined && factsOf(model, first).requested !== keyContent(draft);
    checkInvariant(model, isOther, "a conflict is reported only for a different body", () =>
      JSON.stringify(draft),
    );
  }
}

function checkHeld(watch: Watch, owner: string, draft: Draft, error: DaybookError): void {
  const { model, marks } = watch;
  if (is(taskKind, draft)) return marks.reached("a run was refused for the current run");
  watch.history.read(owner);
  marks.reached("an append was refused as held");
  // It has a name of its own, and one of the places for those that run.
  if (is(workspaceKind, draft)) return;
  const group = groupFor(model, draft.holds);
  const isFull = group !== null && group.live.size >= group.size;
  const holder = String(error.details["holder"]);
  const detail = (): string =>
    `${group?.name} has ${[...(group?.live ?? [])].join(", ")}; ${holder}`;
  checkInvariant(
    model,
    isFull,
    "an append is refused as held only when every hold is taken",
    detail,
  );
  checkInvariant(
    model,
    group?.live.has(holder) ?? false,
    "a held error names a live holder",
    detail,
  );
}

function recordDraft(watch: Watch, owner: string, draft: Draft, id: string): void {
  const { model } = watch;
  const facts = factsOf(model, id);
  model.refused.delete(id); // refused once, its answer lost, asked again and written
  facts.owner = owner;
  facts.requested = keyContent(draft);
  recordBody(watch, facts, draft);
  recordSchedule(model, id, draft);
  recordNag(model, id, owner, draft);
  recordWhen(model.eventWork, id, owner, draft);
  if (is(notificationKind, draft) && draft.body.snoozedFrom !== undefined) {
    watch.marks.reached("a notification was sent once more");
  }
  // The name of a run goes from one task to another: the watch over runs looks at that.
  facts.group = is(taskKind, draft) ? null : groupFor(model, draft.holds);
  if ("wakeAt" in draft) facts.readyAt = Math.max(watch.storeNow(), draft.wakeAt ?? 0);
}

function recordBody(watch: Watch, facts: Facts, { kind, body }: Draft | Edit): void {
  if (body === undefined) return;
  if (kind === profileKind.name) recordProfile(watch, facts.owner, body as ProfileKind["body"]);
  if (kind !== notificationKind.name) return;
  const version = versionOf(watch, body as NotificationKind["body"]);
  facts.versions.push(version);
  if (!["digest", "notice", "mark"].includes(version.type)) {
    watch.model.byText.set(version.text, facts);
  }
}

function recordProfile({ model, now }: Watch, owner: string, body: Body<ProfileKind>): void {
  const { quiet = null, timezone: zone = "UTC" } = body;
  const before = model.profiles.get(owner) ?? [{ since: 0, quiet: null, zone: "UTC" }];
  model.profiles.set(owner, [...before, { since: now(), quiet, zone }]);
}

/** What a key stands for. */
function keyContent({ body, key }: Draft): string {
  return JSON.stringify(key?.asked ?? body);
}

/** Each record asks for one hold at most, so that a name or a list of names is a group. */
function groupFor(model: Model, holds: readonly Hold[] | undefined): Group | null {
  const hold = holds?.[0];
  if (hold === undefined) return null;
  const names = typeof hold === "string" ? [hold] : hold.oneOf;
  const name = names.join(" ");
  const group = model.groups.get(name) ?? { name, size: names.length, live: new Set<string>() };
  model.groups.set(name, group);
  return group;
}

export function watchEdit(watch: Watch, { input, answer, error }: CallOf<"edit">): void {
  const { model, marks } = watch;
  const { edit, who, consequences } = input;
  if (answer === undefined) {
    if (hasCode(error, "stale")) marks.reached("edit answered stale");
    return;
  }
  const facts = factsOf(model, edit.id);
  if (facts.lease !== null) marks.reached("edited under a lease");
  const { ifRevision = answer.revision - 1 } = edit;
  const detail = (): string => `${JSON.stringify(edit)} answered revision ${answer.revision}`;
  // A unit may cancel what it edits.
  const next = ifRevision + (isCancelled(edit.id, consequences) ? 2 : 1);
  checkInvariant(
    model,
    answer.revision === next,
    "an edit applies only to the revision it names",
    detail,
  );
  checkInvariant(
    model,
    facts.owner === who.owner,
    "records of another owner are not accessible",
    detail,
  );
  const before = model.nags.plans.get(edit.id)?.outcome;
  recordEdit(watch, edit, consequences);
  recordConsequences(watch, who.owner, consequences);
  checkTakenBack(watch, edit, before);
  watchAnswer(watch, edit, consequences);
  // It may have another state now: one who recovers a workspace says so by an edit.
  if (isCancelled(edit.id, consequences) || is(workspaceKind, edit)) watch.history.read(who.owner);
}

function recordEdit(watch: Watch, edit: Edit, consequences: Consequences | undefined): void {
  const facts = factsOf(watch.model, edit.id);
  recordBody(watch, facts, edit);
  recordScheduleEdit(watch, edit);
  recordScheduleEnd(watch, edit, consequences);
  recordNagEdit(watch, edit);
  if ("wakeAt" in edit && typeof edit.wakeAt === "number" && facts.lease === null) {
    facts.readyAt = Math.max(watch.storeNow(), edit.wakeAt);
  }
}

export function watchCancel(watch: Watch, { input, answer }: CallOf<"cancel">): void {
  if (answer === undefined) return;
  const { model, marks } = watch;
  const facts = factsOf(model, input.cancel.id);
  marks.reached(`cancel answered ${answer.result}`);
  checkScheduleEnd(watch, facts.id);
  const isLeased = facts.lease !== null && facts.lease.until > watch.storeNow();
  const detail = (): string => `${facts.id} answered ${answer.result}`;
  if (answer.result === "cancelled") {
    checkInvariant(model, !isLeased, "a leased record is not cancelled at once", detail);
    checkInvariant(
      model,
      answer.record.state === "cancelled",
      "a cancelled record has the state cancelled",
      detail,
    );
    facts.cancelledOrder ??= nextOrder(model);
  }
  if (answer.result === "cancelling")
    checkInvariant(model, isLeased, "only a leased record is cancelling", detail);
  if (answer.result !== "ended") recordConsequences(watch, input.who.owner, input.consequences);
  watch.history.read(input.who.owner);
  if (answer.result !== "cancelling")
    checkInvariant(model, facts.end !== null, "a cancelled record has ended", detail);
}

/** What a unit wrote besides its own record. */
export function recordConsequences(
  watch: Watch,
  owner: string,
  consequences: Consequences | undefined,
  cause?: Facts,
): void {
  const { model } = watch;
  for (const draft of consequences?.append ?? []) {
    const { id } = draft;
    if (id === undefined) recordNotice(watch, owner, draft, cause);
    else if (!isRecorded(model, id)) recordDraft(watch, owner, draft, id);
  }
  for (const edit of consequences?.edit ?? []) recordEdit(watch, edit, consequences);
  for (const wake of consequences?.wake ?? []) recordWake(watch, wake);
}

/** It was asked for before: a message of that name, or an event that a source tells of again. */
function isRecorded(model: Model, id: string): boolean {
  return model.eventWork.events.has(id) || factsOf(model, id).versions.length > 0;
}

function recordWake(watch: Watch, wake: Wake): void {
  const facts = factsOf(watch.model, wake.id);
  const { owner, id } = facts;
  const at = watch.storeNow();
  if (facts.lease !== null) {
    facts.wokenAt = Math.min(facts.wokenAt ?? at, at);
    return;
  }
  facts.readyAt = Math.min(facts.readyAt, at);
  const record = watch.engine.get({ who: { owner, by: "oracle" }, id });
  if (record === undefined || record.endedAt !== null) return;
  const isDue = record.wakeAt !== null && record.wakeAt <= at;
  checkInvariant(
    watch.model,
    isDue,
    "a woken record is due",
    () => `${id}: ${record.wakeAt}, not ${at}`,
  );
}
