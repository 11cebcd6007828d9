import { plainProfile, readProfile } from "../src/features/accounts/profile.ts";
import { router, type RouterSettings } from "../src/features/events/controller.ts";
import type { Handler } from "../src/features/events/handler.ts";
import { makeEvent } from "../src/features/events/kind.ts";
import type { Channel } from "../src/features/notifications/channel.ts";
import { deliverer } from "../src/features/notifications/controller.ts";
import { numbers } from "../src/features/notifications/counter.ts";
import { slackThread } from "../src/features/notifications/thread.ts";
import { taskController } from "../src/features/tasks/controller.ts";
import type { Runner } from "../src/features/tasks/runner.ts";
import type { Controller } from "../src/kernel/controller.ts";
import type { Events } from "../src/kernel/events.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { runController } from "../src/kernel/runtime.ts";
import type { Shape } from "../src/kernel/shape.ts";
import { cached } from "../src/platform/cached.ts";
import { systemClock } from "../src/platform/clock.ts";
import { bus } from "../src/platform/event-bus.ts";
import { systemRandom } from "../src/platform/random.ts";
import { group } from "../src/platform/service.ts";
import { runHooks } from "../src/testing/run-hooks.ts";

const owner = "ann";
/** As many as a busy installation has: none of them is a bottleneck. */
const places = 100;

const handler: Handler = {
  name: "gen-pr",
  subscribes: ["bench.done"],
  run: { task: "noop" },
  timeoutMs: 60_000,
  retries: 2,
  target: null,
  channels: [],
  repo: null,
};

/** What a node has for events, and nothing else of it. */
export interface Pipeline {
  /** Resolves when it is durable. */
  emit(name: string): Promise<void>;
  stop(): Promise<void>;
}

interface PipelineOptions {
  /** Tasks at work at once; null: as many as there are. */
  places?: number | null;
  /** The end of the task of an event was said in its thread. */
  ended(name: string): void;
}

/** Events, a task for each that does nothing, and what is said of it in a thread: all of it is durable. */
export async function startPipeline(ledger: Ledger, options: PipelineOptions): Promise<Pipeline> {
  const clock = systemClock();
  const events = bus<Events>();
  events.listen((event, facts) => {
    const isFault = event === "act failed" || event === "settle failed";
    if (isFault || event === "consequence refused") console.error(event, facts);
  });
  const profile = cached(clock, 1_000, (owner: string) =>
    readProfile(ledger, owner, () => plainProfile),
  );
  const parts = { ledger, clock, profile, numbers: numbers(ledger) };
  const set: RouterSettings = {
    handlers: [handler],
    health: "green",
    defaultTarget: "slack:C0",
    capacity: options.places ?? null,
  };
  const ports = { work: ledger.work, clock, random: systemRandom(), events };
  const run = <K extends Shape, Seen>(controller: Controller<K, Seen>) =>
    runController(controller, ports, { holder: "bench" });
  const running = group([
    run(router({ ...parts, settings: () => set })),
    run(taskController(noop, { ...parts, hooks: runHooks(parts) })),
    run(deliverer({ ...parts, channels: [chat(options.ended)] })),
  ]);
  await running.start();
  const book = ledger.of(owner, "bench");
  let count = 0;
  return {
    async emit(name) {
      count += 1;
      const now = Date.now();
      const origin = `slack:C${count % places}`;
      const body = { ...plain, name, at: now, origin, payload: { text: name, pr_number: count } };
      await book.append(makeEvent(body, { owner, home: owner, now }));
    },
    stop: () => running.stop(),
  };
}

/** So many tell of events at the same time. */
const tellers = 200;

/** All of them, as fast as they go. */
export async function through(ledger: Ledger, count: number, batch: string): Promise<void> {
  const all = Promise.withResolvers<void>();
  const left = new Set<string>();
  const pipeline = await startPipeline(ledger, {
    ended(name) {
      left.delete(name);
      if (left.size === 0) all.resolve();
    },
  });
  const names = Array.from({ length: count }, (_, n) => `${batch}-${n}`);
  for (const name of names) left.add(name);
  const tell = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await pipeline.emit(name);
  };
  await Promise.all(Array.from({ length: tellers }, tell));
  await all.promise;
  await pipeline.stop();
}

const plain = { type: "bench.done", source: "bench", repo: "daybook/bench", hops: 0 } as const;

/** Its result says which event it was for. */
const noop: Runner = {
  name: "noop",
  async run({ event }) {
    const { event_id: name } = event as { event_id: string };
    return { result: "completed", returned: { status: "success", summary: name } };
  },
};

/** It has threads, and answers at once. */
function chat(ended: (name: string) => void): Channel {
  let count = 0;
  return {
    name: "slack",
    threadOf: slackThread,
    async send({ address, text }) {
      count += 1;
      const [channel = "", thread] = address.split(":");
      const place = thread === undefined ? { channel } : { channel, thread };
      const [, name] = /^✅ gen-pr: (\S+)$/.exec(text) ?? [];
      if (name !== undefined) {
        if (thread === undefined) throw new Error(`The end of ${name} was said in no thread.`);
        ended(name);
      }
      return { result: "delivered", receipt: { ...place, messages: [`${count}.000000`] } };
    },
  };
}
