import { setTimeout as wait } from "node:timers/promises";
import { open } from "../src/app/library/open.ts";
import type { Channel } from "../src/features/notifications/channel.ts";
import { makeNotification } from "../src/features/notifications/kind.ts";
import { startChild } from "./child.ts";
import { progress, quantile, type Sizes } from "./measure.ts";
import { bound, none, type Figure } from "./report.ts";
import type { Stand } from "./stand.ts";
import { body } from "./work.ts";

/** Time with fractions of a millisecond, on the wall's scale. */
function wall(): number {
  return performance.timeOrigin + performance.now();
}

/** 1,000 times over 10 s, through a whole node: how late each is said. Not less when quick: it is a p99. */
export async function precision(store: string): Promise<readonly Figure[]> {
  const [count, spreadMs, leadMs] = [1_000, 10_000, 2_000];
  progress(`precision: ${count} due times over ${spreadMs} ms`);
  const lateMs: number[] = [];
  const done = Promise.withResolvers<void>();
  const bench: Channel = {
    name: "bench",
    async send({ text }) {
      lateMs.push(wall() - Number(text));
      if (lateMs.length === count) done.resolve();
      return { result: "delivered", receipt: null };
    },
  };
  const daybook = await open({ store, channels: [bench] });
  await daybook.start();
  const first = Date.now() + leadMs;
  await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const at = first + Math.round((n * spreadMs) / count);
      const draft = makeNotification({
        ...body,
        at,
        message: String(at),
        target: `bench:${n % 100}`,
      });
      return daybook.ledger.of("ann", "cli").append(draft);
    }),
  );
  await done.promise;
  await daybook.close();
  return [
    bound("lateness, p50", quantile(lateMs, 0.5), 3),
    bound("lateness, p99", quantile(lateMs, 0.99), 10),
    none("said early", lateMs.filter((ms) => ms < 0).length),
  ];
}

/** One destination that is down has all that is due before one message to another. */
export async function deadLanes(
  fresh: (name: string) => Promise<Stand>,
  sizes: Sizes,
): Promise<readonly Figure[]> {
  return [
    await deadLane(await fresh("refuses"), sizes, "refuses"),
    await deadLane(await fresh("hangs"), sizes, "hangs"),
  ];
}

/** A miss must be a figure, not a bench that never ends: so it is a process that can be killed. */
const giveUpMs = 30_000;

async function deadLane(stand: Stand, { crowd }: Sizes, how: string): Promise<Figure> {
  const name = `sent past ${crowd} due to one that ${how}`;
  progress(name);
  await stand.add({ rows: crowd, wakeAt: Date.now() - 60_000, lane: "bench:dead" });
  await stand.ledger
    .of("ann", "cli")
    .append(makeNotification({ ...body, at: Date.now(), target: "bench:alive" }));
  await stand.close();
  const child = startChild(new URL("lane-process.ts", import.meta.url), [stand.store, how]);
  await child.next();
  const sent = child.next().then(Number);
  sent.catch(() => undefined); // when it is killed
  const gaveUp = new AbortController();
  const late = wait(giveUpMs, giveUpMs, { signal: gaveUp.signal });
  late.catch(() => undefined);
  const ms = await Promise.race([sent, late]);
  gaveUp.abort();
  await child.kill();
  return bound(name, ms, 2_000);
}
