import assert from "node:assert/strict";
import type { Perform, Verb, Verbs } from "../../kernel/verbs.ts";
import { DaybookError } from "../../platform/errors.ts";
import { seededRandom, type Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import { comparableText, type ToText } from "./answers.ts";
import { nextCommand } from "./commands.ts";
import { holdNames, keyNames } from "./drafts.ts";
import { observe, nothingObserved, type Command, type Observed } from "./observed.ts";

/** A store to replay on. `setNow` sets its clock. */
export interface Fixture {
  perform: Perform;
  setNow(ms: number): void;
  /** The queues hinted since the last call. */
  hinted(): readonly string[];
}

/** One call of a replay and its answer, as text that is equal on every store. */
export interface Step {
  readonly verb: Verb;
  readonly call: string;
  readonly answer: string;
}

interface Replay {
  readonly fixture: Fixture;
  readonly random: Random;
  readonly observed: Observed;
  readonly toText: ToText;
  readonly steps: Step[];
  now: number;
}

/** Makes `length` calls that the seed chooses, and then reads everything. */
export async function replay(
  fixture: Fixture,
  seed: number,
  length: number,
): Promise<readonly Step[]> {
  const run: Replay = {
    fixture,
    random: seededRandom(seed),
    observed: nothingObserved(),
    toText: comparableText(),
    steps: [],
    now: 1000,
  };
  for (let count = 0; count < length; count += 1) {
    passTime(run);
    await perform(run, nextCommand(run));
  }
  await readAll(run);
  return run.steps;
}

/** Time often stands still, so that many calls share a time; now and then it steps back. */
function passTime(run: Replay): void {
  const { random, fixture } = run;
  if (chance(random, 0.4)) run.now += intBelow(random, chance(random, 0.2) ? 150 : 20);
  if (chance(random, 0.02)) run.now -= 15;
  fixture.setNow(run.now);
}

async function perform<V extends Verb>(
  run: Replay,
  command: Command<V>,
): Promise<Verbs[V]["answer"] | undefined> {
  const { fixture, observed, toText } = run;
  const { verb, input } = command;
  const call = `${run.now} ${toText(input)}`;
  const log = (answer: unknown): void => {
    const hinted = fixture.hinted().toSorted();
    run.steps.push({ verb, call, answer: toText({ answer, hinted }) });
  };
  try {
    const answer = await fixture.perform(verb, input);
    observe(observed, command, answer);
    log(answer);
    return answer;
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    log(error);
    return undefined;
  }
}

/** Reads everything that can be read; appends and claims then show the holders of names and keys, and what is due. */
async function readAll(run: Replay): Promise<void> {
  await perform(run, { verb: "stats", input: null });
  for (const owner of ["ann", "bob"]) {
    const who = { owner, by: "reader" };
    await perform(run, { verb: "list", input: { who, query: { limit: 500 } } });
    await perform(run, { verb: "changes", input: { who, query: { limit: 500 } } });
    for (const id of run.observed.sizes.keys()) {
      const query = { id, stream: "out", offset: 0, limit: 500 };
      await perform(run, { verb: "read", input: { who, query } });
    }
    await appendNames(run, owner);
  }
  run.fixture.setNow(run.now + 10_000);
  for (const kind of ["node", "chore"] as const) {
    for (const queue of [kind, `${kind}@a`]) {
      await perform(run, { verb: "inQueue", input: { queue, limit: 500 } });
      const lease = { holder: "reader", leaseMs: 1, limit: 500 };
      await perform(run, { verb: "claim", input: { kind, queue, ...lease } });
    }
  }
}

async function appendNames(run: Replay, owner: string): Promise<void> {
  const who = { owner, by: "reader" };
  const node = { kind: "node", body: { name: "r", version: "1", host: "h", pid: 1 } } as const;
  for (const name of holdNames) {
    const draft = { ...node, state: "running", holds: [name] } as const;
    await perform(run, { verb: "append", input: { who, draft } });
  }
  for (const name of keyNames) {
    const draft = { ...node, ends: "lost", key: { name } } as const;
    await perform(run, { verb: "append", input: { who, draft } });
  }
}

/** Shows the first step that a store answers unlike the memory store. */
export function assertSameAnswers(
  seed: number,
  model: readonly Step[],
  other: readonly Step[],
): void {
  const index = model.findIndex((step, at) => step.answer !== other[at]?.answer);
  if (index === -1) return assert.equal(other.length, model.length, `steps of seed ${seed}`);
  const { verb, call } = model[index] ?? { verb: "none", call: "" };
  assert.deepEqual(
    JSON.parse(other[index]?.answer ?? "null"),
    JSON.parse(model[index]?.answer ?? "null"),
    `seed ${seed}, step ${index}: ${verb} at ${call} is answered unlike the memory store (expected)`,
  );
}
