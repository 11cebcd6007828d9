import { createHash } from "node:crypto";
import type { Hold } from "../../kernel/unit.ts";
import { canonical } from "../../platform/json.ts";
import { dayOf } from "../../time/zone.ts";
import type { NotificationKind } from "./kind.ts";

// Every name that is held is made here, under a prefix of its own. They stand in books: none may change.

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
    places(scoped(guards.task, owner, task), pendingPerTaskMax),
    scoped(guards.day, owner, task, dayOf(at, zone), type),
  ];
}

/** The name that the newest with a collapse key has. */
export function collapseHold(
  owner: string,
  { target, collapseKey }: NotificationKind["body"],
): string | undefined {
  return collapseKey === undefined
    ? undefined
    : scoped(guards.collapse, owner, target, collapseKey);
}

const guards = { task: "task:", day: "task-day:", collapse: "collapse:" } as const;

/** Which of the rules about notifications a name that is held by another belongs to. */
export function guardOf(name: unknown): keyof typeof guards | undefined {
  const kinds = ["task", "day", "collapse"] as const;
  return kinds.find((kind) => typeof name === "string" && name.startsWith(guards[kind]));
}

/** How many of each an owner may have at once. */
export const perOwnerMax = {
  webhook: 50,
  token: 100,
  invite: 10,
  person: 100,
  subscription: 20,
} as const;
export type Limited = keyof typeof perOwnerMax;

/** One of the owner's places for them. What was written before there were places has none, and stays. */
export function ownerPlace(kind: Limited, owner: string): Hold {
  return places(scoped(`${kind}s-of:`, owner), perOwnerMax[kind]);
}

/** An edit states all its holds anew, and keeps the place it has if that is among these. */
export const placesMax = 1_000;

/** One of the owner's places for schedules. */
export function placeHold(owner: string, limit: number): Hold {
  return places(scoped("schedule:", owner), Math.min(limit, placesMax));
}

export function nameHold(owner: string, name: string): string {
  return scoped("schedule-name:", owner, name.toLowerCase());
}

/** The name that the one run at work has, unless runs may overlap. */
export function runHold(scheduleId: string): string {
  return `run:${scheduleId}`;
}

/** The name that the one run waiting for its turn has. */
export function queuedHold(scheduleId: string): string {
  return `queued:${scheduleId}`;
}

/** One of the places for runs of this name at once. */
export function runnerPlace(name: string, concurrency: number): Places {
  return places(`running:${name}`, concurrency);
}

/** One of the places for tasks of handlers at work at once, over all owners. */
export function runnerPlaces(count: number): Places {
  return places("soldier", count);
}

/** A page is nagged about once. */
export function nagPageHold(owner: string, pageId: string): string {
  return scoped("nag-page:", owner, pageId);
}

/** So many may be said until they are done, in one owner's book. */
export const nagsMax = 1_000;

/** One of the owner's places for them, by its number: what has its names written anew all the time knows its own. */
export function nagPlaceHold(owner: string, place: number): string {
  return scoped(nagPlaces, owner, String(place));
}

const nagPlaces = "nag-place:";

export function isNagPlace(name: unknown): boolean {
  return typeof name === "string" && name.startsWith(nagPlaces);
}

/** The minute that a time was computed to be in: counted from 1970, as every clock counts it. */
export function minuteHold(owner: string, minute: number): string {
  return scoped("minute:", owner, String(minute));
}

/** A source of a name is asked once in a book. */
export function sourceHold(owner: string, name: string): string {
  return scoped("source:", owner, name);
}

/** A name is one live workspace's in a book. */
export function workspaceHold(owner: string, name: string): string {
  return scoped("workspace:", owner, name.toLowerCase());
}

/** One of the owner's places for workspaces that run or are to run, and one of all owners'. */
export function workspacePlaces(
  owner: string,
  { perOwner, inAll }: { perOwner: number; inAll: number },
): readonly Hold[] {
  return [
    places(scoped(workspacesOf, owner), Math.min(perOwner, placesMax)),
    places(workspacesInAll, Math.min(inAll, placesMax)),
  ];
}

const workspacesOf = "workspaces-of:";
const workspacesInAll = "workspaces";

/** Which of the limits a name that is held by others belongs to. */
export function workspaceLimitOf(name: unknown): "per_user" | "global" | undefined {
  if (typeof name !== "string") return undefined;
  if (name.startsWith(workspacesOf)) return "per_user";
  return name.startsWith(`${workspacesInAll}#`) ? "global" : undefined;
}

/** The same rests once: who asks again changes until when and why. */
export function pauseHold(scope: string): string {
  return `pause:${scope}`;
}

export function nodeHold(name: string): string {
  return `node:${name}`;
}

export function choreHold(name: string): string {
  return `chore:${name}`;
}

type Places = Exclude<Hold, string>;

function places(name: string, count: number): Places {
  return { oneOf: Array.from({ length: count }, (_, index) => `${name}#${index + 1}`) };
}

/** Names are held across all books: the owner is part of them, and no choice of words makes two alike. */
function scoped(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}${createHash("sha256").update(canonical(parts)).digest("hex").slice(0, 40)}`;
}
