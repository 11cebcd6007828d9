import { makeProfile, type ProfileKind } from "../../features/accounts/profile.ts";
import { makeNotification, type NotificationKind } from "../../features/notifications/kind.ts";
import { inboxOf } from "../../features/notifications/routing.ts";
import type { Priority } from "../../kernel/record.ts";
import type { DraftOf, Hold } from "../../kernel/unit.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Random } from "../../platform/random.ts";
import { timeOfDay } from "../../time/times.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { targets } from "./targets.ts";

/** Who draws. */
export interface Drawing {
  name: string;
  owner: string;
  clock: Clock;
  random: Random;
  ids: Ids;
  /** How many it drew: no two texts are alike. */
  count: number;
}

type Body = NotificationKind["body"];

/** Something to be said: short or in parts, to a channel or an inbox, with or without limits to it. */
export function drawNotification(drawing: Drawing): DraftOf<NotificationKind> & { id: string } {
  const { random, clock, owner } = drawing;
  const at = Math.max(0, Math.floor(clock.wall()) - 5_000 + intBelow(random, 50_000));
  const inbox = inboxOf(owner);
  const target = pick(random, [...targets, inbox, inbox]);
  const body = { message: drawText(drawing), at, atText: "then", target, origin: target };
  const draft = makeNotification({ ...body, ...limits(random, at) }, drawPriority(random));
  return { ...draft, id: drawing.ids() };
}

export function drawPriority(random: Random): { priority: Priority } {
  return { priority: pick(random, ["high", "normal", "normal", "low"]) };
}

/** What an edit makes of it: other words at another time; where it goes and how often stays. */
export function drawEdit(drawing: Drawing, { target, atMostOnce }: Body): Body {
  const { body } = drawNotification(drawing);
  const { atMostOnce: _, ...rest } = { ...body, target, origin: target };
  return atMostOnce === true ? { ...rest, atMostOnce } : rest;
}

function drawText(drawing: Drawing): string {
  drawing.count += 1;
  const text = `${drawing.name} ${drawing.count}`;
  if (!chance(drawing.random, 0.2)) return text;
  return text + " and so on".repeat(5 + intBelow(drawing.random, 12));
}

function limits(random: Random, at: number): Partial<Body> {
  const expiresAt = at + 500 + intBelow(random, chance(random, 0.5) ? 10_000 : 180_000);
  return {
    ...(chance(random, 0.25) ? { expiresAt } : {}),
    ...(chance(random, 0.2) ? { atMostOnce: true } : {}),
  };
}

/** A single name, or one of three: limits are holds. */
export function drawHolds({ random, owner }: Drawing): { holds?: readonly Hold[] } {
  if (!chance(random, 0.3)) return {};
  if (chance(random, 0.3)) return { holds: [`one:${owner}`] };
  return { holds: [{ oneOf: [`cap:${owner}#1`, `cap:${owner}#2`, `cap:${owner}#3`] }] };
}

const zones = ["UTC", "Asia/Seoul", "America/St_Johns"] as const;

/** Quiet hours about now: most end with this minute, so that a digest is said while things go wrong. */
export function drawProfile({ random, clock }: Drawing): DraftOf<ProfileKind> {
  const timezone = pick(random, zones);
  const minutes = (count: number): number => clock.wall() + count * 60_000;
  const isNow = chance(random, 0.7);
  const from = minutes(isNow ? -2 : 1 - intBelow(random, 3));
  const to = minutes(isNow ? 1 : 2 + intBelow(random, 5));
  const hours = { from: timeOfDay(from, timezone), to: timeOfDay(to, timezone) };
  const body: ProfileKind["body"] = { timezone, quiet: chance(random, 0.2) ? null : hours };
  return makeProfile(body);
}
