import { scopedName, slots } from "../../kernel/holds.ts";
import type { Hold } from "../../kernel/unit.ts";
import { dayOf } from "../../time/zone.ts";
import type { NotificationKind } from "./kind.ts";

// These names are stored in ledgers: none may change.

export const pendingPerTaskMax = 3;

interface Request {
  readonly owner: string;
  /** The owner's zone: it decides the day of a time. */
  readonly zone: string;
  readonly body: NotificationKind["body"];
}

/**
 * The holds of a requested notification about a task while it waits: one of the task's few slots, and the day with
 * its type. The system's own notifications hold none of these.
 */
export function taskHolds({ owner, zone, body }: Request): readonly Hold[] {
  const { relatedTaskId: task, type = "reminder", at } = body;
  if (task === undefined) return [];
  return [
    slots(scopedName(guards.task, owner, task), pendingPerTaskMax),
    scopedName(guards.day, owner, task, dayOf(at, zone), type),
  ];
}

/** The name that the newest notification with a collapse key holds. */
export function collapseHold(
  owner: string,
  { target, collapseKey }: NotificationKind["body"],
): string | undefined {
  return collapseKey === undefined
    ? undefined
    : scopedName(guards.collapse, owner, target, collapseKey);
}

const guards = { task: "task:", day: "task-day:", collapse: "collapse:" } as const;

/** The rule that a held name belongs to. */
export function guardOf(name: unknown): keyof typeof guards | undefined {
  const kinds = ["task", "day", "collapse"] as const;
  return kinds.find((kind) => typeof name === "string" && name.startsWith(guards[kind]));
}
