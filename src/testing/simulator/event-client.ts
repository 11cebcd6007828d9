import { eventId, type EventKind, eventKind } from "../../features/events/kind.ts";
import { planSources } from "../../features/events/source-controller.ts";
import { endsEvent } from "../../features/events/task-end.ts";
import { numbers } from "../../features/notifications/counter.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import { sleep } from "../../platform/clock.ts";
import { fraction } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { answerDirectly, answerInThread } from "./answers.ts";
import { emit, type EventClient, type EventClientOptions } from "./event-emission.ts";
import { eventTypes } from "./event-handlers.ts";
import { sourcePollMs, sourceName, sourceOwner } from "./event-service.ts";
import { retried } from "./request-retry.ts";
import { owners } from "./targets.ts";

type Action = (client: EventClient) => Promise<unknown>;

/** What it does, and how often. */
const actions: readonly (readonly [weight: number, action: Action])[] = [
  [50, emitNew],
  [12, emitAgain],
  [16, answerDirectly],
  [16, answerInThread],
  [5, cancelTask],
  [3, cancelEvent],
  [6, changeHealth],
];
const total = actions.reduce((sum, [weight]) => sum + weight, 0);
const pauseMsMax = 9_000;

/** Tells of things that happen, of some twice; answers what is asked, also twice and late; changes its mind. */
export async function runEventClient(options: EventClientOptions): Promise<void> {
  const { ledger, owner, name, clock, random } = options;
  const client: EventClient = {
    ...options,
    book: ledger.of(owner, name),
    numbers: numbers(ledger),
  };
  await retried(client, () => planSource(client));
  while (options.busy()) {
    let at = fraction(random) * total;
    const [, action] = actions.find(([weight]) => (at -= weight) < 0) ?? [0, emitNew];
    await retried(client, () => action(client));
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 30 : pauseMsMax));
  }
}

/** One of them has a source. */
export async function planSource({ book, owner }: EventClient): Promise<void> {
  if (owner !== sourceOwner) return;
  await planSources(book, owner, [{ name: sourceName, everyMs: sourcePollMs }]);
}

async function emitNew(client: EventClient): Promise<void> {
  const { eventNames, owner } = client;
  const name = `evt-${owner}-${eventNames.length + 1}`;
  eventNames.push(name);
  const body = drawEvent(client, name);
  const made = await retried(client, () => emit(client, body));
  if (made !== undefined) client.oracle.appendAcknowledged(made.id);
}

/** The same name, with whatever else. */
export async function emitAgain(client: EventClient, name?: string): Promise<void> {
  const { eventNames, random } = client;
  const name2 = name ?? eventNames[intBelow(random, eventNames.length)];
  if (name2 !== undefined) await emit(client, drawEvent(client, name2));
}

function drawEvent({ random, clock }: EventClient, name: string): EventKind["body"] {
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
async function cancelTask({ book, random }: EventClient): Promise<void> {
  const { records } = await book.list({ kind: taskKind, live: true, limit: 20, order: "newest" });
  const task = records[intBelow(random, records.length)];
  const about = task?.body.event;
  if (task === undefined || about === undefined) return;
  const event = await book.get(about.id);
  const isLive = is(eventKind, event) && event.endedAt === null;
  const ends = isLive && task.lease === null ? [endsEvent(event, "cancelled", "not needed")] : [];
  await book.cancel({ id: task.id, reason: "not needed" }, { edit: ends });
}

/** One that was eventNames just now: somebody may be about to dispatch it. */
async function cancelEvent(client: EventClient): Promise<void> {
  const { book, random, clock, eventNames } = client;
  await emitNew(client);
  const id = eventId(client.owner, eventNames.at(-1) ?? "", owners[0]);
  await sleep(clock, intBelow(random, 20));
  await book.cancel({ id, reason: "not needed" });
}

function changeHealth({ random, setHealth }: EventClient): Promise<void> {
  setHealth(pick(random, ["green", "green", "yellow", "red"]));
  return Promise.resolve();
}
