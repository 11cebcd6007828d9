import { plainProfile } from "../features/accounts/profile.ts";
import { notificationKind } from "../features/notifications/kind.ts";
import { makeSchedule } from "../features/schedules/draft.ts";
import { type ScheduleKind, scheduleKind } from "../features/schedules/kind.ts";
import { slotTask, type Run } from "../features/schedules/slot.ts";
import { taskController, type TasksOptions } from "../features/tasks/controller.ts";
import { makeTask, outputStream, type TaskKind, taskKind } from "../features/tasks/kind.ts";
import type { Job, Ran, RunContext, Runner } from "../features/tasks/runner.ts";
import { is, type Kind } from "../kernel/kind.ts";
import type { Profile } from "../kernel/profile.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import { runController } from "../kernel/runtime.ts";
import type { Shape } from "../kernel/shape.ts";
import type { Service } from "../platform/service.ts";
import { nodeFixture, type NodeFixture } from "./node-fixture.ts";
import { runHooks } from "./run-hooks.ts";

/** A runner with the result that a test gives, which records its jobs. */
export interface FakeRunner extends Runner {
  readonly jobs: Job[];
}

export function fakeRunner(
  run: (job: Job, context: RunContext) => Ran | Promise<Ran>,
  concurrency?: number,
): FakeRunner {
  const jobs: Job[] = [];
  return {
    name: "fake",
    jobs,
    concurrency,
    async run(job, context) {
      jobs.push(job);
      return run(job, context);
    },
  };
}

interface NodeOptions extends Pick<TasksOptions, "outputBytesMax"> {
  holder?: string;
  language?: Profile["language"];
}

/** A ledger and nodes that run the tasks of one owner. */
export interface RunFixture extends NodeFixture {
  /** Starts a node that runs tasks. */
  node(runner: Runner, options?: NodeOptions): Promise<Service>;
  ask(body?: Partial<TaskKind["body"]>): Promise<string>;
  schedule(body?: Partial<ScheduleKind["body"]>): Promise<LedgerRecord<ScheduleKind>>;
  slot(schedule: LedgerRecord<ScheduleKind>, run?: Partial<Run>): Promise<string>;
  task(id: string): Promise<LedgerRecord<TaskKind>>;
  scheduleOf(id: string): Promise<LedgerRecord<ScheduleKind>>;
  output(id: string): Promise<string>;
  /** The messages of all notifications, the oldest first. */
  messages(): Promise<readonly string[]>;
}

const owner = "mina";

export function runFixture(): RunFixture {
  const at = nodeFixture();
  const book = at.ledger.of(owner, owner);
  const find = async <K extends Shape>(kind: Kind<K>, id: string): Promise<LedgerRecord<K>> => {
    const record = await book.get(id);
    if (!is(kind, record)) throw new Error(`no ${kind.name} ${id}`);
    return record;
  };
  return Object.assign(at, {
    async node(runner: Runner, { holder = "n1", language = "en", ...options }: NodeOptions = {}) {
      const reader: Profile = { ...plainProfile, language };
      const { ledger, clock } = at;
      const profile = (): Promise<Profile> => Promise.resolve(reader);
      const hooks = runHooks({ ledger });
      const controller = taskController(runner, { ledger, clock, profile, hooks, ...options });
      const running = runController(controller, at.ports, { ...at.options, holder });
      await running.start();
      return running;
    },
    async ask(body: Partial<TaskKind["body"]> = {}) {
      const draft = makeTask({ ...plainTask, at: at.kernel.now(), ...body });
      return (await book.append(draft)).id;
    },
    async schedule(body: Partial<ScheduleKind["body"]> = {}) {
      const now = at.kernel.now();
      const cadence = { type: "interval", everyMs: 3_600_000, anchor: now } as const;
      const draft = makeSchedule({ ...plainSchedule, cadence, ...body }, { owner, now, limit: 50 });
      return find(scheduleKind, (await book.append(draft)).id);
    },
    async slot(schedule: LedgerRecord<ScheduleKind>, run: Partial<Run> = {}) {
      const now = at.kernel.now();
      const draft = slotTask(schedule, { at: now, because: "cadence", ...run });
      return (await book.append(draft)).id;
    },
    task: (id: string) => find(taskKind, id),
    scheduleOf: (id: string) => find(scheduleKind, id),
    async output(id: string) {
      const limit = 1024 * 1024;
      const parts: Uint8Array[] = [];
      for (let offset = 0; ; offset += limit) {
        const { bytes } = await book.read({ id, stream: outputStream, offset, limit });
        if (bytes.length === 0) return Buffer.concat(parts).toString();
        parts.push(bytes);
      }
    },
    async messages() {
      const { records } = await book.list({ kind: notificationKind, limit: 500 });
      return records.map(({ body }) => body.message);
    },
  });
}

const plainTask = {
  name: "fake",
  input: { n: 1 },
  target: "fake:a",
  origin: "fake:me",
  timeoutMs: 60_000,
};

const plainSchedule = {
  name: "backup",
  whenText: "every hour",
  run: { task: "fake", input: { n: 1 } },
  notify: "always",
  target: "fake:a",
  origin: "fake:me",
  misfire: "latest",
  overlap: "skip",
  rerun: false,
  timeoutMs: 60_000,
  notifyAfterFailures: 3,
  disableAfterFailures: 5,
} as const;
