import { scopedName, slots } from "../../kernel/holds.ts";
import type { Hold } from "../../kernel/unit.ts";
import { dayOf } from "../../time/zone.ts";
import type { NotificationKind } from "./kind.ts";

// Names that are held stand in books: none may change.

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
  return [
    slots(scopedName(guards.task, owner, task), pendingPerTaskMax),
    scopedName(guards.day, owner, task, dayOf(at, zone), type),
  ];
}

/** The name that the newest with a collapse key has. */
export function collapseHold(
  owner: string,
  { target, collapseKey }: NotificationKind["body"],
): string | undefined {
  return collapseKey === undefined
    ? undefined
    : scopedName(guards.collapse, owner, target, collapseKey);
}

const guards = { task: "task:", day: "task-day:", collapse: "collapse:" } as const;

/** Which of the rules about notifications a name that is held by another belongs to. */
export function guardOf(name: unknown): keyof typeof guards | undefined {
  const kinds = ["task", "day", "collapse"] as const;
  return kinds.find((kind) => typeof name === "string" && name.startsWith(guards[kind]));
}
