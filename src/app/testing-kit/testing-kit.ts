import "../../platform/temporal.ts";
import { operations } from "../../features/index.ts";
import { handledTasks, taskKind, runViewOf, type RunView } from "../../features/tasks/index.ts"; // first: the others use it
import { callOperation } from "../../kernel/call.ts";
import type { Host } from "../../kernel/host.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Caller } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { readLength } from "../../time/cadence/length.ts";
import { hostFace, type HostFace } from "../embed.ts";
import { methodsFor, type Methods } from "../library/methods.ts";
import { resultOf } from "../library/run-handle.ts";
import { runsFor, type AwaitRun, type Runs } from "../library/runs.ts";
import { localCaller } from "../local-caller.ts";
import type { TestOptions } from "./options.ts";
import type { Said } from "./outbox.ts";
import { testNode } from "./test-node.ts";

export type { TestOptions } from "./options.ts";
export type { Said } from "./outbox.ts";

/** A book in memory with a node at work, in a time that stands still until it is told to go on. */
export interface TestDaybook extends Omit<Methods, "explain">, Runs, Pick<HostFace, "fetch"> {
  /** All that was said, the oldest first: what came to the channels, and to the inboxes of those who asked. */
  readonly outbox: readonly Said[];
  now(): number;
  /** Time goes on by "3 days" or so many milliseconds; all that falls due is done, in order. */
  advance(by: string | number): Promise<void>;
  /** Runs of a function, or of a schedule of that name, the oldest first. */
  tasks(name: string): Promise<readonly RunView[]>;
  /** Answers what a run asks. */
  answer(id: string, text: string): Promise<void>;
  /** The node dies with whatever it was at; another begins. What it held is free when its lease is over. */
  crash(): Promise<void>;
  explain(id: string): Promise<string>;
  /** The same methods in another owner's book; what comes to that owner's inbox is in the outbox from now on. */
  as(caller: Partial<Caller>): Methods & Runs;
}

/** Leaves nothing behind: no timer, no file, no socket. */
export async function testDaybook(options: TestOptions = {}): Promise<TestDaybook> {
  const room = await testNode(options);
  const { host } = room;
  const ends = { awaitRun: seen, ledger: host.ledger };
  const methods = methodsFor(host, localCaller);
  const { fetch } = hostFace({ ...options, host });
  return {
    ...methods,
    ...runsFor(host, localCaller, ends),
    fetch,
    outbox: room.outbox,
    now: host.now,
    advance: async (by) => room.advance(typeof by === "number" ? by : readLength(by)),
    crash: room.crash,
    tasks: (name) => runsNamed(host, name),
    async answer(id, text) {
      await methods.answerRun({ id, answer: text });
    },
    async explain(id) {
      const { output, reader } = await callOperation(host, operations.explain, { id }, localCaller);
      return operations.explain.render(operations.explain.output.parse(output), reader);
    },
    as(caller) {
      const asking = { ...localCaller, ...caller };
      room.listen(asking.owner);
      return { ...methodsFor(host, asking), ...runsFor(host, asking, ends) };
    },
  };
}

/** Time stands still here: what has not ended will not end while it is waited for. */
const seen: AwaitRun = async (read) => {
  const ended = resultOf(await read());
  if (ended !== undefined) return ended.result;
  throw new DaybookError("refused", "It has not ended: advance the time first.");
};

async function runsNamed(host: Host, name: string): Promise<readonly RunView[]> {
  const book = host.ledger.of(localCaller.owner, localCaller.by);
  const found = await Array.fromAsync(recordsIn(book, { kind: taskKind }));
  const named = found.filter(({ body }) => body.name === name || body.slot?.name === name);
  return Promise.all(named.map((record) => runViewOf(book, record, host.use(handledTasks))));
}
