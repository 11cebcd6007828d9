import { systemOwner } from "../../features/nodes/node.ts";
import { deletedSchedule } from "../../features/schedules/change.ts";
import { scheduleKind } from "../../features/schedules/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { firesBetween } from "../../time/cadence.ts";
import { intBelow, pick } from "../chance.ts";
import type { Cast } from "./cast.ts";
import { runClient } from "./client.ts";
import { runEar } from "./ears.ts";
import { endEvents, inviteEmitters } from "./emitters.ts";
import { enter, type Visitor } from "./enter.ts";
import { readFeed } from "./feed-reader.ts";
import { endKeeping, inviteKeepers } from "./keep-end.ts";
import { endNag, isUnsaid } from "./nag-end.ts";
import { runPester } from "./pester.ts";
import { runPlanner } from "./planner.ts";
import { relayQueue } from "./relay.ts";
import { runScribe, scribeQueue } from "./scribe.ts";
import { owners } from "./targets.ts";
import { startWorkloads } from "./workload.ts";

/** Lets in whoever asks and reads. */
export function invite(cast: Cast): void {
  const { kernel, oracle, known } = cast;
  const random = kernel.randomFor(6);
  const isLong = cast.scale.name !== "minute";
  const people = isLong ? 0 : pick(random, [1, 1, 2, 2, 3]);
  for (let index = 0; index < people; index += 1) {
    const name = `client-${index}`;
    const busy = (): boolean => cast.phase === "wrong";
    enter(cast, { name, salt: 10 + index }, (parts) =>
      runClient({ ...parts, name, oracle, known, busy, wantsQuiet: !cast.isCalm }),
    );
  }
  for (const [index, owner] of [...owners, systemOwner].entries()) {
    const busy = (): boolean => cast.phase !== "quiet";
    enter(cast, { name: `feed-${owner}`, salt: 20 + index }, async (parts) => {
      await readFeed({ ...parts, owner, oracle, busy, scale: cast.scale });
      cast.feedsDone += 1;
    });
  }
  if (!isLong) inviteIdlers(cast, random);
  if (cast.hasSchedules) invitePlanners(cast);
  if (cast.hasNags) invitePesters(cast);
  if (cast.hasEvents) inviteEmitters(cast);
  inviteKeepers(cast);
  startWorkloads(cast);
  if (isLong) return;
  for (const owner of owners) {
    const count = 1 + intBelow(random, 2);
    enter(cast, { name: `founder-${owner}`, salt: 30 }, (parts) =>
      found(cast, { ...parts, owner, count }),
    );
  }
}

/** Whoever listens, and whoever works badly. */
function inviteIdlers(cast: Cast, random: Random): void {
  inviteEars(cast, [...owners, pick(random, owners)]);
  for (const index of [0, 1]) {
    const name = `scribe-${index}`;
    const busy = (): boolean => cast.phase === "wrong";
    enter(cast, { name, salt: 50 + index }, (parts) => runScribe({ ...parts, name }, busy));
  }
}

/** In a month they come only in the end, to read what waits for them. */
function inviteEars(cast: Cast, to: readonly string[]): void {
  for (const [index, owner] of to.entries()) {
    const name = `ear-${index}`;
    enter(cast, { name, salt: 60 + index }, (parts) => runEar({ ...parts, cast, name, owner }));
  }
}

function invitePlanners(cast: Cast): void {
  const { oracle, scale } = cast;
  for (const [index, owner] of owners.entries()) {
    const name = `planner-${index}`;
    const made: string[] = [];
    cast.schedules.set(owner, made);
    cast.plannersBusy += 1;
    const busy = (): boolean => cast.phase === "wrong";
    enter(cast, { name, salt: 70 + index }, async (parts) => {
      await runPlanner({ ...parts, name, owner, made, oracle, scale, busy });
      cast.plannersBusy -= 1;
    });
  }
}

function invitePesters(cast: Cast): void {
  const { oracle, scale } = cast;
  for (const [index, owner] of owners.entries()) {
    const name = `pester-${index}`;
    const made: string[] = [];
    cast.nags.set(owner, made);
    cast.plannersBusy += 1;
    const busy = (): boolean => cast.phase === "wrong";
    enter(cast, { name, salt: 80 + index }, async (parts) => {
      const wantsQuiet = !cast.isCalm;
      await runPester({ ...parts, name, owner, made, oracle, scale, wantsQuiet, busy });
      cast.plannersBusy -= 1;
    });
  }
}

/** Ends what would go on for ever, so that the world can come to rest. */
export function windUp(cast: Cast): void {
  if (cast.scale.name !== "minute") inviteEars(cast, owners);
  for (const owner of owners) {
    enter(cast, { name: `closer-${owner}`, salt: 40 }, (parts) => close(cast, { ...parts, owner }));
  }
}

/** Once all is healed schedules run on for a while, until each slot that came is decided. */
const runOnMs = 20_000;
const behindMs = 15_000;

async function isBehind({ clock }: Cast, book: Book, id: string): Promise<boolean> {
  const record = await book.get(id).catch(() => undefined);
  if (!is(scheduleKind, record) || record.endedAt !== null || record.state === "disabled") {
    return false;
  }
  const { cursor = 0, undecided } = record.outcome ?? {};
  if (undecided !== undefined) return true;
  return firesBetween(record.body.cadence, cursor, clock.now() - behindMs, 1).fires.length > 0;
}

/** Unless it was never written, or has ended. */
async function endSchedule(book: Book, id: string, clock: Clock): Promise<unknown> {
  const record = await book.get(id);
  if (!is(scheduleKind, record) || record.endedAt !== null || record.cancelling) return "gone";
  const { edit, consequences } = deletedSchedule(record, {}, Math.floor(clock.wall()));
  return book.edit(edit, consequences);
}

/** Asks until the store answers. */
async function insist<T>(clock: Clock, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(clock, 300);
  }
}

/** Writes an owner's relays down. */
async function found(
  { relays }: Cast,
  { owner, count, ledger, clock }: Visitor & { owner: string; count: number },
): Promise<void> {
  const book = ledger.of(owner, "founder");
  const mine: string[] = [];
  relays.set(owner, mine);
  for (let index = 0; index < count; index += 1) {
    const body = { name: `relay ${index}`, everyMs: 9_000 * (index + 1) };
    const place = { queue: relayQueue, key: { name: body.name }, wakeAt: 0 };
    const draft = { kind: "chore" as const, state: "waiting" as const, body, ...place };
    mine.push((await insist(clock, () => book.append(draft))).id);
  }
  const body = { name: "scribe", everyMs: 0 };
  const place = { queue: scribeQueue, key: { name: "scribe" }, wakeAt: 0 };
  const draft = { kind: "chore" as const, state: "waiting" as const, body, ...place };
  mine.push((await insist(clock, () => book.append(draft))).id);
}

async function close(cast: Cast, visitor: Visitor & { owner: string }): Promise<void> {
  const { owner, ledger, clock } = visitor;
  const book = ledger.of(owner, "founder");
  for (const id of cast.relays.get(owner) ?? []) await insist(clock, () => book.cancel({ id }));
  if (cast.keep !== undefined) await endKeeping(cast, owner, visitor);
  if (cast.hasSchedules) await sleep(clock, runOnMs);
  while (cast.plannersBusy > 0) await sleep(clock, cast.scale.lookMs / 5);
  for (const id of cast.schedules.get(owner) ?? []) {
    while (await isBehind(cast, book, id)) await sleep(clock, cast.scale.lookMs);
    await insist(clock, () => endSchedule(book, id, clock));
  }
  if (cast.hasNags) await sleep(clock, cast.scale.nagOnMs);
  for (const id of cast.nags.get(owner) ?? []) {
    while (await isUnsaid(book, id, cast.clock.now())) await sleep(clock, cast.scale.lookMs);
    await insist(clock, () => endNag(book, id));
  }
  if (cast.hasEvents) await endEvents(cast, owner, visitor);
  cast.relaysLeft -= 1;
}
