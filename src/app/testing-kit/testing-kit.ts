import "../../platform/temporal.ts";
import { operations } from "../../features/index.ts";
import { taskKind, type RunView } from "../../features/tasks/index.ts"; // first: the others use it
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
import { onlyMessage, type Said, type SaidFilter } from "./outbox.ts";
import { testNode } from "./test-node.ts";

export { ledgerConformance } from "./conformance/conformance.ts";
export type { OpenStore, StoreUnderTest } from "./conformance/fixture.ts";
export { memoryStore } from "./memory-store.ts";
export type { TestOptions } from "./options.ts";
export type { Said, SaidFilter } from "./outbox.ts";

/** A book in memory with a running node, in virtual time that stands still until it is advanced. */
export interface TestDaybook extends Omit<Methods, "explain">, Runs, Pick<HostFace, "fetch"> {
  /** All sent messages, the oldest first: those to channels, and those to the inboxes of callers. */
  readonly outbox: readonly Said[];
  /** The only sent message to a target or with a text. Throws if there is none or several, and lists what was sent. */
  onlyMessage(filter?: SaidFilter): Said;
  now(): number;
  /** Advances time by "3 days" or by milliseconds, and does everything that falls due, in order. */
  advance(by: string | number): Promise<void>;
  /** The runs of a function or of a schedule by its name, the oldest first. */
  tasks(name: string): Promise<readonly RunView[]>;
  /** Answers the question of a run. */
  answer(id: string, text: string): Promise<void>;
  /** Kills the node and starts another. What it had claimed is free when its lease expires. */
  crash(): Promise<void>;
  explain(id: string): Promise<string>;
  /** The same methods on the book of another owner, whose inbox is recorded in the outbox from now on. */
  as(caller: Partial<Caller>): Methods & Runs;
}

/** Leaves no timer, file or socket behind. */
export async function testDaybook(options: TestOptions = {}): Promise<TestDaybook> {
  const running = await testNode(options);
  const { host } = running;
  const ends = { awaitRun: seen, ledger: host.ledger };
  const methods = methodsFor(host, localCaller);
  const { fetch } = hostFace({ ...options, host });
  return {
    ...methods,
    ...runsFor(host, localCaller, ends),
    fetch,
    outbox: running.outbox,
    onlyMessage: (filter = {}) => onlyMessage(running.outbox, filter),
    now: host.now,
    advance: async (by) => running.advance(typeof by === "number" ? by : readLength(by)),
    crash: running.crash,
    tasks: async (name) => {
      const ids = await runsNamed(host, name);
      return Promise.all(ids.map((id) => methods.showRun({ id })));
    },
    async answer(id, text) {
      await methods.answerRun({ id, answer: text });
    },
    async explain(id) {
      const { output, reader } = await callOperation(host, operations.explain, { id }, localCaller);
      return operations.explain.render(operations.explain.output.parse(output), reader);
    },
    as(caller) {
      const other = { ...localCaller, ...caller };
      running.listen(other.owner);
      return { ...methodsFor(host, other), ...runsFor(host, other, ends) };
    },
  };
}

/** Virtual time stands still, so that a run that has not ended does not end while a test waits. */
const seen: AwaitRun = async (read) => {
  const ended = resultOf(await read());
  if (ended !== undefined) return ended.result;
  throw new DaybookError("refused", "The run has not ended: advance the time first.");
};

async function runsNamed(host: Host, name: string): Promise<readonly string[]> {
  const book = host.ledger.of(localCaller.owner, localCaller.by);
  const found = await Array.fromAsync(recordsIn(book, { kind: taskKind }));
  const named = found.filter(({ body }) => body.name === name || body.slot?.name === name);
  return named.map(({ id }) => id);
}
