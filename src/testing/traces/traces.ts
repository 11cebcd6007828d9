import type { Perform, Verb, Verbs } from "../../kernel/verbs.ts";
import { DaybookError } from "../../platform/errors.ts";
import { seededRandom, type Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import { telling, type Tell } from "./answers.ts";
import { nextCommand } from "./commands.ts";
import { holdNames, keyNames } from "./drafts.ts";
import { learn, nothingSeen, type Command, type Seen } from "./seen.ts";

/** A store to replay on, with its clock in our hand. */
export interface Fixture {
  perform: Perform;
  setNow(ms: number): void;
  /** Queues that were hinted since this was last asked. */
  hinted(): readonly string[];
}

/** One step of a replay, as text that is the same on every store that answers alike. */
export interface Step {
  readonly verb: Verb;
  readonly asked: string;
  readonly answer: string;
}

interface Play {
  readonly fixture: Fixture;
  readonly random: Random;
  readonly seen: Seen;
  readonly tell: Tell;
  readonly steps: Step[];
  now: number;
}

/** Asks `length` things of the store, chosen by the seed, and then looks at all it has. */
export async function replay(
  fixture: Fixture,
  seed: number,
  length: number,
): Promise<readonly Step[]> {
  const play: Play = {
    fixture,
    random: seededRandom(seed),
    seen: nothingSeen(),
    tell: telling(),
    steps: [],
    now: 1000,
  };
  for (let count = 0; count < length; count += 1) {
    passTime(play);
    await ask(play, nextCommand(play));
  }
  await lookAtAll(play);
  return play.steps;
}

/** Time stands still often, so that much happens at once; now and then it steps back. */
function passTime(play: Play): void {
  const { random, fixture } = play;
  if (chance(random, 0.4)) play.now += intBelow(random, chance(random, 0.2) ? 150 : 20);
  if (chance(random, 0.02)) play.now -= 15;
  fixture.setNow(play.now);
}

async function ask<V extends Verb>(
  play: Play,
  command: Command<V>,
): Promise<Verbs[V]["answer"] | undefined> {
  const { fixture, seen, tell } = play;
  const { verb, input } = command;
  const asked = `${play.now} ${tell(input)}`;
  const log = (answer: unknown): void => {
    const hinted = fixture.hinted().toSorted();
    play.steps.push({ verb, asked, answer: tell({ answer, hinted }) });
  };
  try {
    const answer = await fixture.perform(verb, input);
    learn(seen, command, answer);
    log(answer);
    return answer;
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    log(error);
    return undefined;
  }
}

/** All that can be read, and then what cannot: who has each name and key, and what is due when. */
async function lookAtAll(play: Play): Promise<void> {
  await ask(play, { verb: "stats", input: null });
  for (const owner of ["ann", "bob"]) {
    const who = { owner, by: "reader" };
    await ask(play, { verb: "list", input: { who, query: { limit: 500 } } });
    await ask(play, { verb: "changes", input: { who, query: { limit: 500 } } });
    for (const id of play.seen.sizes.keys()) {
      const query = { id, stream: "out", offset: 0, limit: 500 };
      await ask(play, { verb: "read", input: { who, query } });
    }
    await askForNames(play, owner);
  }
  play.fixture.setNow(play.now + 10_000);
  for (const kind of ["node", "chore"] as const) {
    for (const queue of [kind, `${kind}@a`]) {
      await ask(play, { verb: "inQueue", input: { queue, limit: 500 } });
      const lease = { holder: "reader", leaseMs: 1, limit: 500 };
      await ask(play, { verb: "claim", input: { kind, queue, ...lease } });
    }
  }
}

async function askForNames(play: Play, owner: string): Promise<void> {
  const who = { owner, by: "reader" };
  const node = { kind: "node", body: { name: "r", version: "1", host: "h", pid: 1 } } as const;
  for (const name of holdNames) {
    const draft = { ...node, state: "running", holds: [name] } as const;
    await ask(play, { verb: "append", input: { who, draft } });
  }
  for (const name of keyNames) {
    const draft = { ...node, ends: "lost", key: { name } } as const;
    await ask(play, { verb: "append", input: { who, draft } });
  }
}
