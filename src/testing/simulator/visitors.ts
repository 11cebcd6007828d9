import { sleep, type Clock } from "../../base/clock.ts";
import { ids, type Ids } from "../../base/ids.ts";
import { intBelow, pick, type Random } from "../../base/random.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { ledgerOver } from "../../ledger/verbs.ts";
import { systemOwner } from "../../rules/node.ts";
import type { Cast } from "./cast.ts";
import { runClient } from "./client.ts";
import { runEar } from "./ears.ts";
import { readFeed } from "./feed-reader.ts";
import { relayQueue } from "./relay.ts";
import { runScribe, scribeQueue } from "./scribe.ts";
import { owners } from "./targets.ts";
import { virtualClock } from "./virtual-clock.ts";

interface Visitor {
  ledger: Ledger;
  clock: Clock;
  random: Random;
  ids: Ids;
}

/** Lets in whoever asks and reads. They do not crash, but what they ask may be lost. */
export function invite(cast: Cast): void {
  const { kernel, oracle, known } = cast;
  const random = kernel.randomFor(6);
  const people = pick(random, [1, 1, 2, 2, 3]);
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
      await readFeed({ ...parts, owner, oracle, busy });
      cast.feedsDone += 1;
    });
  }
  for (const [index, owner] of [...owners, pick(random, owners)].entries()) {
    const name = `ear-${index}`;
    enter(cast, { name, salt: 60 + index }, (parts) => runEar({ ...parts, cast, name, owner }));
  }
  for (const index of [0, 1]) {
    const name = `scribe-${index}`;
    const busy = (): boolean => cast.phase === "wrong";
    enter(cast, { name, salt: 50 + index }, (parts) => runScribe({ ...parts, name }, busy));
  }
  for (const owner of owners) {
    const count = 1 + intBelow(random, 2);
    enter(cast, { name: `founder-${owner}`, salt: 30 }, (parts) =>
      found(cast, { ...parts, owner, count }),
    );
  }
}

/** Ends what would go on for ever, so that the world can come to rest. */
export function windUp(cast: Cast): void {
  for (const owner of owners) {
    enter(cast, { name: `closer-${owner}`, salt: 40 }, (parts) => close(cast, { ...parts, owner }));
  }
}

function enter(
  { kernel, store }: Cast,
  { name, salt }: { name: string; salt: number },
  visit: (parts: Visitor) => Promise<void>,
): void {
  const random = kernel.randomFor(salt);
  const clock = virtualClock(kernel);
  kernel.spawn(name, (life) => {
    const ledger = ledgerOver(store.transport(life));
    void visit({ ledger, clock, random, ids: ids(clock, random) });
  });
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

async function close(
  cast: Cast,
  { owner, ledger, clock }: Visitor & { owner: string },
): Promise<void> {
  const book = ledger.of(owner, "founder");
  for (const id of cast.relays.get(owner) ?? []) await insist(clock, () => book.cancel({ id }));
  cast.relaysLeft -= 1;
}
