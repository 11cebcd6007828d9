import { createHash } from "node:crypto";
import { canonical } from "../base/json.ts";
import type { NotificationKind } from "./notification.ts";
import type { Hold } from "./unit.ts";

/** More reminders of one task than this, waiting at once, are noise. */
export const pendingPerTaskMax = 3;

interface Guarded {
  readonly owner: string;
  /** The owner's own: it says which day a moment is on. */
  readonly zone: string;
  readonly body: NotificationKind["body"];
}

/**
 * What a notification about a task holds while it waits, when it was asked for: one of the task's
 * few places, and the day it has with this type. What the system says by itself holds none of it.
 */
export function taskHolds({ owner, zone, body }: Guarded): readonly Hold[] {
  const { relatedTaskId: task, type = "reminder", at } = body;
  if (task === undefined) return [];
  const places = Array.from(
    { length: pendingPerTaskMax },
    (_, index) => `${scoped(prefixes.task, [owner, task])}#${index + 1}`,
  );
  return [{ oneOf: places }, scoped(prefixes.day, [owner, task, dayOf(at, zone), type])];
}

/** The name that the newest with a collapse key has. */
export function collapseHold(
  owner: string,
  { target, collapseKey }: NotificationKind["body"],
): string | undefined {
  return collapseKey === undefined
    ? undefined
    : scoped(prefixes.collapse, [owner, target, collapseKey]);
}

/** How many of each an owner may have at once. */
export const perOwnerMax = { webhook: 50, token: 100 } as const;
export type Limited = keyof typeof perOwnerMax;

/** One of the owner's places for them. What was written before there were places has none, and stays. */
export function ownerPlace(kind: Limited, owner: string): Hold {
  const name = scoped(`${kind}s-of:`, [owner]);
  return { oneOf: Array.from({ length: perOwnerMax[kind] }, (_, index) => `${name}#${index + 1}`) };
}

/** Which of the rules a name that is held by another belongs to. */
export function guardOf(name: unknown): keyof typeof prefixes | undefined {
  const kinds = ["task", "day", "collapse"] as const;
  return kinds.find((kind) => typeof name === "string" && name.startsWith(prefixes[kind]));
}

export function dayOf(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}

const prefixes = { task: "task:", day: "task-day:", collapse: "collapse:" } as const;

/** Names are held across all books: the owner is part of them, and no choice of words makes two alike. */
function scoped(prefix: string, parts: readonly string[]): string {
  return `${prefix}${createHash("sha256").update(canonical(parts)).digest("hex").slice(0, 40)}`;
}
