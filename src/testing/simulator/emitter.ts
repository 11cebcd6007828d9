import { eventId, type EventKind, eventKind } from "../../features/events/kind.ts";
import { planSources } from "../../features/events/source-controller.ts";
import { endsEvent } from "../../features/events/task-end.ts";
import { numbers } from "../../features/notifications/counter.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import { sleep } from "../../platform/clock.ts";
import { fraction } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { answerByHand, answerInThread } from "./answers.ts";
import { emit, type Emitter, type EmitterOptions } from "./emit.ts";
import { persist } from "./persist.ts";
import { eventTypes } from "./pipeline.ts";
import { askedEveryMs, sourceName, sourceOwner } from "./service.ts";
import { owners } from "./targets.ts";

type Ask = (emitter: Emitter) => Promise<unknown>;

/** What it does, and how often. */
const asks: readonly (readonly [weight: number, ask: Ask])[] = [
  [50, emitNew],
  [12, emitAgain],
  [16, answerByHand],
  [16, answerInThread],
  [5, cancelTask],
  [3, cancelEvent],
  [6, changeHealth],
];
const total = asks.reduce((sum, [weight]) => sum + weight, 0);
const restMsMax = 9_000;

/** Tells of things that happen, of some twice; answers what is asked, also twice and late; changes its mind. */
export async function runEmitter(options: EmitterOptions): Promise<void> {
  const { ledger, owner, name, clock, random } = options;
  const emitter: Emitter = { ...options, book: ledger.of(owner, name), numbers: numbers(ledger) };
  await persist(emitter, () => planSource(emitter));
  while (options.busy()) {
    let at = fraction(random) * total;
    const [, ask] = asks.find(([weight]) => (at -= weight) < 0) ?? [0, emitNew];
    await persist(emitter, () => ask(emitter));
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 30 : restMsMax));
  }
}

/** One of them has a source. */
export async function planSource({ book, owner }: Emitter): Promise<void> {
  if (owner !== sourceOwner) return;
  await planSources(book, owner, [{ name: sourceName, everyMs: askedEveryMs }]);
}

async function emitNew(emitter: Emitter): Promise<void> {
  const { told, owner } = emitter;
  const name = `evt-${owner}-${told.length + 1}`;
  told.push(name);
  const body = drawEvent(emitter, name);
  const made = await persist(emitter, () => emit(emitter, body));
  if (made !== undefined) emitter.oracle.told(made.id);
}

/** The same name, with whatever else. */
export async function emitAgain(emitter: Emitter, name?: string): Promise<void> {
  const { told, random } = emitter;
  const again = name ?? told[intBelow(random, told.length)];
  if (again !== undefined) await emit(emitter, drawEvent(emitter, again));
}

function drawEvent({ random, clock }: Emitter, name: string): EventKind["body"] {
  const origins = [null, null, "slack:C3", "slack:C3:77.000000"] as const;
  return {
    name,
    type: pick(random, eventTypes),
    source: "client",
    repo: null,
    payload: { number: name },
    at: Math.max(0, Math.floor(clock.wall()) - intBelow(random, 5_000)),
    origin: pick(random, origins),
    // Some go round in circles.
    hops: chance(random, 0.2) ? 7 + intBelow(random, 4) : 0,
  };
}

/** As an operation does: what was not at work ends with its event. */
async function cancelTask({ book, random }: Emitter): Promise<void> {
  const { records } = await book.list({ kind: taskKind, live: true, limit: 20, order: "newest" });
  const task = records[intBelow(random, records.length)];
  const about = task?.body.event;
  if (task === undefined || about === undefined) return;
  const event = await book.get(about.id);
  const isLive = is(eventKind, event) && event.endedAt === null;
  const ends = isLive && task.lease === null ? [endsEvent(event, "cancelled", "not needed")] : [];
  await book.cancel({ id: task.id, reason: "not needed" }, { edit: ends });
}

/** One that was told just now: somebody may be about to dispatch it. */
async function cancelEvent(emitter: Emitter): Promise<void> {
  const { book, random, clock, told } = emitter;
  await emitNew(emitter);
  const id = eventId(emitter.owner, told.at(-1) ?? "", owners[0]);
  await sleep(clock, intBelow(random, 20));
  await book.cancel({ id, reason: "not needed" });
}

function changeHealth({ random, setHealth }: Emitter): Promise<void> {
  setHealth(pick(random, ["green", "green", "yellow", "red"]));
  return Promise.resolve();
}
