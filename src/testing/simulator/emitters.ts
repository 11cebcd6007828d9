import { eventKind } from "../../features/events/kind.ts";
import { questionKind } from "../../features/events/question.ts";
import { numbers } from "../../features/notifications/counter.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { sleep } from "../../platform/clock.ts";
import { chance } from "../chance.ts";
import { answer } from "./answers.ts";
import type { Cast } from "./cast.ts";
import type { Emitter } from "./emit.ts";
import { emitAgain, planSource, runEmitter } from "./emitter.ts";
import { enter, type Visitor } from "./enter.ts";
import { currentLife } from "./kernel.ts";
import { runOutsider } from "./outsider.ts";
import { persist } from "./persist.ts";
import { owners } from "./targets.ts";

/** Whoever tells of events, and whoever works on their tasks elsewhere. */
export function inviteEmitters(cast: Cast): void {
  for (const [index, owner] of owners.entries()) {
    const name = `emitter-${index}`;
    const told: string[] = [];
    cast.told.set(owner, told);
    cast.plannersBusy += 1;
    enter(cast, { name, salt: 90 + index }, async (parts) => {
      await runEmitter(emitterOf(cast, { ...parts, name, owner, told }));
      cast.plannersBusy -= 1;
    });
  }
  for (const index of [0, 1]) inviteOutsider(cast, index);
}

function inviteOutsider(cast: Cast, index: number): void {
  const name = `outsider-${index}`;
  const { oracle } = cast;
  enter(cast, { name, salt: 95 + index }, (parts) => {
    const life = currentLife();
    if (life === undefined) throw new Error("an outsider lives");
    return runOutsider({
      ...parts,
      name,
      started: (id) => oracle.worked(life, id, "outside"),
      answered: (id, said) => oracle.workedOut(life, id, said),
      isWell: () => cast.phase !== "wrong",
      busy: () => cast.phase === "wrong" || cast.phase === "healed",
    });
  });
}

type Emitting = Visitor & { name: string; owner: string; told: string[] };

function emitterOf(cast: Cast, emitting: Emitting) {
  return {
    ...emitting,
    oracle: cast.oracle,
    setHealth: (health: Cast["health"]) => (cast.health = health),
    busy: () => cast.phase === "wrong",
  };
}

/** What is known for thirty days outlives what is forgotten after a minute. */
const echoMs = 130_000;
/** A world takes twice as long with it. */
const echoChance = 0.3;

/** Answers whatever is asked, as long as somebody may ask. */
async function answerAll(cast: Cast, emitter: Emitter): Promise<void> {
  const query = { kind: questionKind, live: true, limit: 500 } as const;
  while (cast.phase === "healed") {
    const found = await persist(emitter, () => emitter.book.list(query));
    for (const question of found?.records ?? []) {
      await persist(emitter, () => answer(emitter, question));
    }
    await sleep(emitter.clock, 4 * cast.scale.lookMs);
  }
}

/** Waits until nothing of an owner is left to do; then tells of everything once more. */
export async function endEvents(cast: Cast, owner: string, parts: Visitor): Promise<void> {
  const { ledger, clock } = parts;
  const told = cast.told.get(owner) ?? [];
  const name = `closer-${owner}`;
  const book = ledger.of(owner, name);
  const emitting = emitterOf(cast, { ...parts, name, owner, told });
  const emitter: Emitter = { ...emitting, book, numbers: numbers(ledger) };
  const isBusy = async (): Promise<boolean> => {
    const live = { live: true, limit: 1 } as const;
    if ((await book.list({ kind: eventKind, ...live })).records.length > 0) return true;
    return (await book.list({ kind: taskKind, ...live })).records.length > 0;
  };
  const rest = async (): Promise<void> => {
    while (await isBusy().catch(() => true)) await sleep(clock, 3 * cast.scale.lookMs);
  };
  void answerAll(cast, emitter);
  await persist(emitter, () => planSource(emitter)); // the store may have been down until now
  await rest();
  if (!chance(parts.random, echoChance)) return;
  await sleep(clock, echoMs);
  for (const each of told) await persist(emitter, () => emitAgain(emitter, each));
  await rest(); // some were never written before
}
