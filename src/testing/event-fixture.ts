import { plainProfile } from "../features/accounts/profile.ts";
import { router, type RouterSettings } from "../features/events/controller.ts";
import type { Handler } from "../features/events/handler.ts";
import { healthy, type Condition } from "../features/events/health.ts";
import { makeEvent, type EventKind, type EventFacts } from "../features/events/kind.ts";
import { questions } from "../features/events/question-controller.ts";
import type { Channel, Message } from "../features/notifications/channel.ts";
import { deliverer } from "../features/notifications/controller.ts";
import { numbers } from "../features/notifications/counter.ts";
import type { Sent } from "../features/notifications/receipt.ts";
import { slackThread } from "../features/notifications/thread.ts";
import { taskController } from "../features/tasks/controller.ts";
import { permits } from "../features/tasks/rate.ts";
import { type Kind, is } from "../kernel/kind.ts";
import type { Profile } from "../kernel/profile.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import { runController } from "../kernel/runtime.ts";
import type { Shape } from "../kernel/shape.ts";
import { nodeFixture, type NodeFixture } from "./node-fixture.ts";
import { fakeRunner, type FakeRunner } from "./run-fixture.ts";
import { runHooks } from "./run-hooks.ts";

const partNames = ["router", "runner", "chat", "questions", "permits"] as const;
type Part = (typeof partNames)[number];
type Answer = Parameters<typeof fakeRunner>[0];

/** A chat with threads, which delivers messages unless a test says otherwise. */
interface FakeChat extends Channel {
  readonly sent: { readonly to: string; readonly text: string; readonly id: string }[];
  /** Another outcome of a message; undefined: it is delivered. */
  fate(message: Message): Sent | undefined;
}

/** A router, a runner, a chat and a question controller over one owner's book. */
export interface EventFixture extends NodeFixture {
  readonly chat: FakeChat;
  readonly runner: FakeRunner;
  /** The settings of the router; a test may change them. */
  settings: RouterSettings;
  /** The health of the machine where tasks run. */
  machine: Pick<Condition, "health" | "reason">;
  language: Profile["language"];
  /** Starts these parts of a node. Default: all of them. */
  start(...parts: readonly Part[]): Promise<void>;
  emit(body?: Partial<EventKind["body"]>, facts?: Partial<EventFacts>): Promise<string>;
  get<K extends Shape>(kind: Kind<K>, id: string): Promise<LedgerRecord<K>>;
  all<K extends Shape>(kind: Kind<K>): Promise<readonly LedgerRecord<K>[]>;
}

export const owner = "mina";

export const plainHandler: Handler = {
  name: "gen-pr",
  subscribes: ["github.pr.review_requested"],
  run: { task: "fake" },
  timeoutMs: 60_000,
  retries: 2,
  target: null,
  channels: [],
  repo: null,
};

export function eventFixture(answer: Answer): EventFixture {
  const at = nodeFixture();
  const chat = fakeChat();
  const runner = fakeRunner(answer);
  const book = at.ledger.of(owner, owner);
  const made: EventFixture = Object.assign(at, {
    chat,
    runner,
    settings: {
      handlers: [plainHandler],
      health: "green",
      defaultTarget: "slack:C1",
      capacity: 3,
    } as const,
    machine: healthy,
    language: "en" as const,
    async start(...parts: readonly Part[]) {
      const { ledger, clock, ports } = at;
      const profile = (): Promise<Profile> =>
        Promise.resolve({ ...plainProfile, language: made.language });
      const given = numbers(ledger);
      const routes = router({ ledger, profile, numbers: given, settings: () => made.settings });
      const health = (): Condition => ({ ...healthy, ...made.machine });
      const hooks = runHooks({ ledger, numbers: given, health });
      const runs = taskController(runner, { ledger, clock, profile, hooks });
      const deliveries = deliverer({ ledger, clock, profile, channels: [chat] });
      const reminders = questions({ profile, numbers: given });
      const own = { router: routes, runner: runs, chat: deliveries, questions: reminders };
      const node = { ...own, permits };
      for (const part of parts.length === 0 ? partNames : parts) {
        await runController<Shape, never>(node[part] as never, ports, at.options).start();
      }
    },
    async emit(body: Partial<EventKind["body"]> = {}, facts: Partial<EventFacts> = {}) {
      const now = at.kernel.now();
      const draft = makeEvent(
        { ...plainEvent, at: now, ...body },
        { owner, home: owner, now, ...facts },
      );
      return (await book.append(draft)).id;
    },
    async get<K extends Shape>(kind: Kind<K>, id: string) {
      const record = await book.get(id);
      if (!is(kind, record)) throw new Error(`no ${kind.name} ${id}`);
      return record;
    },
    async all<K extends Shape>(kind: Kind<K>) {
      const { records } = await book.list({ kind, limit: 500 });
      return records;
    },
  });
  return made;
}

export const plainEvent = {
  name: "evt-github-1-2026-02-07T10:00:00Z",
  type: "github.pr.review_requested",
  source: "github",
  repo: "querypie/frontend",
  payload: { pr_number: "42" },
  origin: null,
  hops: 0,
};

function fakeChat(): FakeChat {
  const sent: FakeChat["sent"] = [];
  return {
    name: "slack",
    sent,
    fate: () => undefined,
    threadOf: slackThread,
    async send(message) {
      const fate = this.fate(message);
      if (fate !== undefined) return fate;
      sent.push({ to: message.address, text: message.text, id: message.id });
      const [channel = "", thread] = message.address.split(":");
      const address = thread === undefined ? { channel } : { channel, thread };
      const ts = `${sent.length}.000000`;
      return { result: "delivered", receipt: { ...address, messages: [ts] } };
    },
  };
}
