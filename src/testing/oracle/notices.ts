import { type NotificationKind, notificationKind } from "../../features/notifications/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Body } from "../../kernel/shape.ts";
import type { Draft } from "../../kernel/unit.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Version } from "./facts.ts";
import { demand, nextOrder, type Notes } from "./notes.ts";

const hourMs = 3_600_000;

export function versionOf({ storeNow, notes }: Watch, body: Body<NotificationKind>): Version {
  const { message: text, at, target, type = "reminder", atMostOnce = false } = body;
  const { expiresAt = Infinity, thread } = body;
  const from = Math.max(at, storeNow());
  const order = nextOrder(notes);
  return { text, at, target, type, expiresAt, atMostOnce, thread: thread?.of ?? null, from, order };
}

/** What the system says by itself: to the owner alone, and nothing of what was to be said. */
export function takeNotice(watch: Watch, owner: string, draft: Draft, cause?: Facts): void {
  if (!is(notificationKind, draft)) return;
  const { notes } = watch;
  const version = versionOf(watch, draft.body);
  const key = `${owner} ${draft.key?.name ?? null}`;
  notes.unnamed.set(key, [...(notes.unnamed.get(key) ?? []), version]);
  if (draft.key === undefined) return; // what a run says goes where its schedule says
  if (version.type === "mark") return checkMark(notes, owner, draft.body);
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => JSON.stringify(draft));
  must(version.type === "notice" && version.target === `inbox:${owner}`, "notices are the owner's");
  const content = notes.byText.keys().some((text) => version.text.includes(text));
  must(!content, "a notice carries nothing of the message");
  if (cause === undefined) return;
  watch.marks.reached("notice");
  // A key for an hour and a target, and an hour and a target for a key.
  const hour = `${Math.floor(version.at / hourMs)} ${cause.versions.at(-1)?.target}`;
  const known = notes.noticeHours.get(key);
  const knownKey = notes.noticeHours.get(`${owner} ${hour}`);
  must(known === undefined || known === hour, "another hour is another notice");
  must(knownKey === undefined || knownKey === key, "one notice for each target and hour");
  if (known === undefined && notes.noticeHours.size > 0) watch.marks.reached("another notice");
  notes.noticeHours.set(key, hour);
  notes.noticeHours.set(`${owner} ${hour}`, key);
}

/** The new state of a message is shown where that message is. */
function checkMark(notes: Notes, owner: string, { marks, target }: Body<NotificationKind>): void {
  const said = notes.facts.get(marks?.of ?? "");
  const isThere = said?.owner === owner && said.versions.some((each) => each.target === target);
  demand(notes, isThere, "a mark goes where its message went", () => JSON.stringify(marks));
}
