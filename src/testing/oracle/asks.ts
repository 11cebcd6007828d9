import { type ProfileKind, profileKind } from "../../features/accounts/profile.ts";
import { notificationKind, type NotificationKind } from "../../features/notifications/kind.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Body } from "../../kernel/shape.ts";
import type { Draft, Edit, Consequences, Hold, Wake } from "../../kernel/unit.ts";
import { type DaybookError, hasCode } from "../../platform/errors.ts";
import type { CallOf, Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import type { Group } from "./facts.ts";
import { checkTakenBack, takeNag, takeNagEdit } from "./nags.ts";
import { demand, factsOf, nextOrder, type Notes } from "./notes.ts";
import { takeNotice, versionOf } from "./notices.ts";
import { checkScheduleEnd, isCancelled, takeScheduleEnd } from "./schedule-ends.ts";
import { takeSchedule, takeScheduleEdit } from "./slots.ts";
import { watchAnswer } from "./when-events.ts";
import { takeWhen } from "./when-notes.ts";

/** What was asked for, and what the store said to it. */
export function watchAppend(watch: Watch, { input, answer, error }: CallOf<"append">): void {
  const { notes, marks } = watch;
  const { who, draft, consequences } = input;
  if (answer === undefined) return watchRefusal(watch, input, error);
  const facts = factsOf(notes, answer.id);
  if (answer.fresh) {
    takeDraft(watch, who.owner, draft, answer.id);
    takeFollows(watch, who.owner, consequences);
  } else {
    watch.history.read(who.owner);
    marks.reached(draft.key === undefined ? "id asked again" : "key asked again");
    // A slot may have been written by the scheduler, under an id that the store made.
    const same = is(taskKind, draft) || askedOf(draft) === facts.asked;
    const tell = (): string => `${JSON.stringify(draft)} answered ${answer.id}`;
    demand(notes, same, "a key stands for one body", tell);
  }
  demand(notes, facts.owner === who.owner, "nothing of another owner is reached", () => answer.id);
  if (draft.key === undefined) return;
  const name = `${who.owner} ${draft.kind} ${draft.key.name}`;
  const first = notes.keys.get(name);
  notes.keys.set(name, answer.id);
  if (first === undefined || first === answer.id) return;
  // Another record may have the key only when the first one is forgotten.
  const found = watch.engine.get({ who, id: first });
  demand(notes, found === undefined, "a key maps to one record", () => `${first}, ${answer.id}`);
}

function watchRefusal(watch: Watch, input: CallOf<"append">["input"], error: unknown): void {
  const { notes, marks } = watch;
  const { who, draft, consequences } = input;
  for (const { id } of [draft, ...(consequences?.append ?? [])]) {
    if (id !== undefined && !notes.facts.has(id)) notes.refused.add(id);
  }
  if (hasCode(error, "held")) checkHeld(watch, who.owner, draft, error);
  if (hasCode(error, "conflict") && draft.key !== undefined) {
    marks.reached("conflict");
    const first = notes.keys.get(`${who.owner} ${draft.kind} ${draft.key.name}`);
    const other = first !== undefined && factsOf(notes, first).asked !== askedOf(draft);
    demand(notes, other, "a conflict needs another body", () => JSON.stringify(draft));
  }
}

function checkHeld(watch: Watch, owner: string, draft: Draft, error: DaybookError): void {
  const { notes, marks } = watch;
  if (is(taskKind, draft)) return marks.reached("a run was at work already");
  watch.history.read(owner);
  marks.reached("held");
  // It has a name of its own, and one of the places for those that run.
  if (is(workspaceKind, draft)) return;
  const group = groupFor(notes, draft.holds);
  const full = group !== null && group.live.size >= group.size;
  const holder = String(error.details["holder"]);
  const tell = (): string => `${group?.name} has ${[...(group?.live ?? [])].join(", ")}; ${holder}`;
  demand(notes, full, "held is said only when every name is taken", tell);
  demand(notes, group?.live.has(holder) ?? false, "held names a live holder", tell);
}

function takeDraft(watch: Watch, owner: string, draft: Draft, id: string): void {
  const { notes } = watch;
  const facts = factsOf(notes, id);
  notes.refused.delete(id); // refused once, its answer lost, asked again and written
  facts.owner = owner;
  facts.asked = askedOf(draft);
  takeBody(watch, facts, draft);
  takeSchedule(notes, id, draft);
  takeNag(notes, id, owner, draft);
  takeWhen(notes.when, id, owner, draft);
  if (is(notificationKind, draft) && draft.body.snoozedFrom !== undefined) {
    watch.marks.reached("said once more");
  }
  // The name of a run goes from one task to another: the watch over runs looks at that.
  facts.group = is(taskKind, draft) ? null : groupFor(notes, draft.holds);
  if ("wakeAt" in draft) facts.readyAt = Math.max(watch.storeNow(), draft.wakeAt ?? 0);
}

function takeBody(watch: Watch, facts: Facts, { kind, body }: Draft | Edit): void {
  if (body === undefined) return;
  if (kind === profileKind.name) takeProfile(watch, facts.owner, body as ProfileKind["body"]);
  if (kind !== notificationKind.name) return;
  const version = versionOf(watch, body as NotificationKind["body"]);
  facts.versions.push(version);
  if (!["digest", "notice", "mark"].includes(version.type)) {
    watch.notes.byText.set(version.text, facts);
  }
}

function takeProfile({ notes, now }: Watch, owner: string, body: Body<ProfileKind>): void {
  const { quiet = null, timezone: zone = "UTC" } = body;
  const before = notes.profiles.get(owner) ?? [{ since: 0, quiet: null, zone: "UTC" }];
  notes.profiles.set(owner, [...before, { since: now(), quiet, zone }]);
}

/** What a key stands for. */
function askedOf({ body, key }: Draft): string {
  return JSON.stringify(key?.asked ?? body);
}

/** Each record asks for one hold at most, so that a name or a list of names is a group. */
function groupFor(notes: Notes, holds: readonly Hold[] | undefined): Group | null {
  const hold = holds?.[0];
  if (hold === undefined) return null;
  const names = typeof hold === "string" ? [hold] : hold.oneOf;
  const name = names.join(" ");
  const group = notes.groups.get(name) ?? { name, size: names.length, live: new Set<string>() };
  notes.groups.set(name, group);
  return group;
}

export function watchEdit(watch: Watch, { input, answer, error }: CallOf<"edit">): void {
  const { notes, marks } = watch;
  const { edit, who, consequences } = input;
  if (answer === undefined) {
    if (hasCode(error, "stale")) marks.reached("edit answered stale");
    return;
  }
  const facts = factsOf(notes, edit.id);
  if (facts.lease !== null) marks.reached("edited while at work");
  const { ifRevision = answer.revision - 1 } = edit;
  const tell = (): string => `${JSON.stringify(edit)} answered revision ${answer.revision}`;
  // A unit may cancel what it edits.
  const next = ifRevision + (isCancelled(edit.id, consequences) ? 2 : 1);
  demand(notes, answer.revision === next, "an edit stands only on its revision", tell);
  demand(notes, facts.owner === who.owner, "nothing of another owner is reached", tell);
  const before = notes.nags.plans.get(edit.id)?.outcome;
  takeEdit(watch, edit, consequences);
  takeFollows(watch, who.owner, consequences);
  checkTakenBack(watch, edit, before);
  watchAnswer(watch, edit, consequences);
  // It may have another state now: one who recovers a workspace says so by an edit.
  if (isCancelled(edit.id, consequences) || is(workspaceKind, edit)) watch.history.read(who.owner);
}

function takeEdit(watch: Watch, edit: Edit, consequences: Consequences | undefined): void {
  const facts = factsOf(watch.notes, edit.id);
  takeBody(watch, facts, edit);
  takeScheduleEdit(watch, edit);
  takeScheduleEnd(watch, edit, consequences);
  takeNagEdit(watch, edit);
  if ("wakeAt" in edit && typeof edit.wakeAt === "number" && facts.lease === null) {
    facts.readyAt = Math.max(watch.storeNow(), edit.wakeAt);
  }
}

export function watchCancel(watch: Watch, { input, answer }: CallOf<"cancel">): void {
  if (answer === undefined) return;
  const { notes, marks } = watch;
  const facts = factsOf(notes, input.cancel.id);
  marks.reached(`cancel answered ${answer.result}`);
  checkScheduleEnd(watch, facts.id);
  const leased = facts.lease !== null && facts.lease.until > watch.storeNow();
  const tell = (): string => `${facts.id} answered ${answer.result}`;
  if (answer.result === "cancelled") {
    demand(notes, !leased, "nobody's work is cancelled under his hands", tell);
    demand(notes, answer.record.state === "cancelled", "cancelled is a state", tell);
    facts.cancelledOrder ??= nextOrder(notes);
  }
  if (answer.result === "cancelling")
    demand(notes, leased, "cancelling needs somebody at work", tell);
  if (answer.result !== "ended") takeFollows(watch, input.who.owner, input.consequences);
  watch.history.read(input.who.owner);
  if (answer.result !== "cancelling") demand(notes, facts.end !== null, "a cancel ends", tell);
}

/** What a unit wrote besides its own record. */
export function takeFollows(
  watch: Watch,
  owner: string,
  consequences: Consequences | undefined,
  cause?: Facts,
): void {
  const { notes } = watch;
  for (const draft of consequences?.append ?? []) {
    const { id } = draft;
    if (id === undefined) takeNotice(watch, owner, draft, cause);
    else if (!isThere(notes, id)) takeDraft(watch, owner, draft, id);
  }
  for (const edit of consequences?.edit ?? []) takeEdit(watch, edit, consequences);
  for (const wake of consequences?.wake ?? []) takeWake(watch, wake);
}

/** It was asked for before: a message of that name, or an event that a source tells of again. */
function isThere(notes: Notes, id: string): boolean {
  return notes.when.events.has(id) || factsOf(notes, id).versions.length > 0;
}

function takeWake(watch: Watch, wake: Wake): void {
  const facts = factsOf(watch.notes, wake.id);
  const { owner, id } = facts;
  const at = watch.storeNow();
  if (facts.lease !== null) {
    facts.wokenAt = Math.min(facts.wokenAt ?? at, at);
    return;
  }
  facts.readyAt = Math.min(facts.readyAt, at);
  const record = watch.engine.get({ who: { owner, by: "oracle" }, id });
  if (record === undefined || record.endedAt !== null) return;
  const due = record.wakeAt !== null && record.wakeAt <= at;
  demand(watch.notes, due, "a wake makes it due", () => `${id}: ${record.wakeAt}, not ${at}`);
}
