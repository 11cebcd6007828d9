import { type NotificationKind, notificationKind } from "../../features/notifications/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Body } from "../../kernel/shape.ts";
import type { Draft } from "../../kernel/unit.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Version } from "./facts.ts";
import { checkInvariant, nextOrder, type Model } from "./model.ts";

const hourMs = 3_600_000;

export function versionOf({ storeNow, model }: Watch, body: Body<NotificationKind>): Version {
  const { message: text, at, target, type = "reminder", atMostOnce = false } = body;
  const { expiresAt = Infinity, thread } = body;
  const from = Math.max(at, storeNow());
  const order = nextOrder(model);
  return { text, at, target, type, expiresAt, atMostOnce, thread: thread?.of ?? null, from, order };
}

/** What the system says by itself: to the owner alone, and nothing of what was to be said. */
export function recordNotice(watch: Watch, owner: string, draft: Draft, cause?: Facts): void {
  if (!is(notificationKind, draft)) return;
  const { model } = watch;
  const version = versionOf(watch, draft.body);
  const key = `${owner} ${draft.key?.name ?? null}`;
  model.unnamed.set(key, [...(model.unnamed.get(key) ?? []), version]);
  if (draft.key === undefined) return; // what a run says goes where its schedule says
  if (version.type === "mark") return checkMark(model, owner, draft.body);
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () => JSON.stringify(draft));
  must(
    version.type === "notice" && version.target === `inbox:${owner}`,
    "a notice goes to the owner's inbox",
  );
  const content = model.byText.keys().some((text) => version.text.includes(text));
  must(!content, "a notice does not contain message text");
  if (cause === undefined) return;
  watch.marks.reached("a notice was sent");
  // A key for an hour and a target, and an hour and a target for a key.
  const hour = `${Math.floor(version.at / hourMs)} ${cause.versions.at(-1)?.target}`;
  const known = model.noticeHours.get(key);
  const knownKey = model.noticeHours.get(`${owner} ${hour}`);
  must(known === undefined || known === hour, "a notice covers one hour");
  must(knownKey === undefined || knownKey === key, "one notice for each target and hour");
  if (known === undefined && model.noticeHours.size > 0) watch.marks.reached("a second notice");
  model.noticeHours.set(key, hour);
  model.noticeHours.set(`${owner} ${hour}`, key);
}

/** The new state of a message is shown where that message is. */
function checkMark(model: Model, owner: string, { marks, target }: Body<NotificationKind>): void {
  const message = model.facts.get(marks?.of ?? "");
  const isSameTarget =
    message?.owner === owner && message.versions.some((each) => each.target === target);
  checkInvariant(model, isSameTarget, "a mark has the target of its message", () =>
    JSON.stringify(marks),
  );
}
