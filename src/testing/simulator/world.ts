import { systemOwner, nodeKind } from "../../features/nodes/node.ts";
import type { Violation } from "../oracle/notes.ts";
import { castOf, type Cast, type CastOptions } from "./cast.ts";
import { plan } from "./disruption.ts";
import { heal } from "./faults.ts";
import { lifeName } from "./kernel.ts";
import { owners } from "./targets.ts";
import { invite, windUp } from "./visitors.ts";

const stopMs = 60_000;
const readMs = 10 * 60_000;

/** One virtual world: first it goes wrong, then it must come right, and stop when asked. */
export async function world(options: CastOptions): Promise<readonly Violation[]> {
  const cast = castOf(options);
  for (const phase of [goWrong, comeRight, stopAll, readOn]) {
    if (!cast.over()) await phase(cast);
  }
  if (!cast.over()) cast.oracle.finish();
  return cast.oracle.violations;
}

async function goWrong(cast: Cast): Promise<void> {
  const { kernel, machines, clock } = cast;
  for (const each of machines) each.start();
  const stepStore = (ms: number): void => {
    clock.offset += ms;
  };
  plan({ ...cast, stepStore });
  invite(cast);
  await kernel.runUntil(kernel.now() + cast.scale.lengthMs, cast.over);
}

/** Nothing goes wrong any more: everything that was asked must come to its end. */
async function comeRight(cast: Cast): Promise<void> {
  const { kernel, oracle } = cast;
  cast.phase = "healed";
  heal(cast.faults);
  cast.keep?.heal();
  cast.dead.clear();
  windUp(cast);
  const done = (): boolean => cast.relaysLeft === 0 && oracle.settled();
  await runUntil(cast, kernel.now() + cast.scale.healMs, done);
  if (!done()) return oracle.blame("everything comes right after healing", oracle.unsettled());
  await countNodes(cast);
}

/** Whoever crashed or stopped before is started again. */
async function runUntil(cast: Cast, until: number, done = (): boolean => false): Promise<void> {
  const { kernel, machines } = cast;
  while (kernel.now() < until && !cast.over() && !done()) {
    for (const each of machines) each.start();
    await kernel.runUntil(kernel.now() + cast.scale.lookMs, cast.over);
  }
}

/** Whoever runs is known to run, once; whoever is gone is known to be gone. */
async function countNodes(cast: Cast): Promise<void> {
  const { kernel, machines, oracle, engine } = cast;
  // A node that was lost is known to be lost by then.
  await runUntil(cast, kernel.now() + 3 * cast.scale.silenceMs);
  const who = { owner: systemOwner, by: "oracle" };
  const { records } = engine.list({ who, query: { kind: nodeKind.name, live: true } });
  const told = records.map(({ by }) => by).toSorted();
  const running = machines.map((each) => lifeName(each.life())).toSorted();
  if (told.join() !== running.join()) {
    oracle.blame("the living nodes are the ones that run", `${told.join()} for ${running.join()}`);
  }
}

async function stopAll(cast: Cast): Promise<void> {
  const { kernel, machines, oracle } = cast;
  cast.phase = "closing";
  for (const each of machines) each.stop();
  await kernel.runUntil(kernel.now() + stopMs, cast.over);
  const left = machines.filter((each) => each.life() !== undefined).map(({ name }) => name);
  if (left.length > 0) oracle.blame("a machine that is asked to stop stops", left.join(", "));
}

/** The feeds read to their end. */
async function readOn(cast: Cast): Promise<void> {
  const { kernel, oracle } = cast;
  cast.phase = "quiet";
  await kernel.runUntil(kernel.now() + cast.scale.feedMs + readMs, cast.over);
  if (cast.feedsDone < owners.length + 1) oracle.blame("a feed comes to its end", "it does not");
}
