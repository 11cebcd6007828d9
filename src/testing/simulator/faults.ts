import { fraction, type Random } from "../../platform/random.ts";
import { chance } from "../chance.ts";

/** How often each thing may go wrong at most: a chance for each occasion, or times in a run. A later capability adds its own faults here. */
const ranges = {
  // The store and the way to it.
  busy: 0.15,
  commitUnknown: 0.1,
  storeSlow: 0.1,
  hintLost: 1.5, // in one of three of its seeds no hint arrives at all: the poll alone must do
  hintSlow: 0.5,
  // A channel and what stands behind it.
  sendUnknown: 0.25,
  sendRetry: 0.3,
  sendDown: 0.3,
  sendRejected: 0.1,
  sendSlow: 0.3,
  sendHang: 0.08,
  sendThrow: 0.15,
  // Machines: how many times in the seed's length.
  crashes: 6,
  pauses: 4,
  clockSteps: 5,
  storeSteps: 3,
  laneDeaths: 2,
  stops: 2,
  outages: 3,
  // Set while an outage lasts: then every call fails.
  storeDown: 0,
};

export type Faults = typeof ranges;

/** A swarm: each seed has its own few classes of fault, at its own rates, so that rare mixes occur. */
export function drawFaults(random: Random): Faults {
  const drawn = noFaults();
  for (const name of names) {
    if (chance(random, 0.5)) drawn[name] = ranges[name] * fraction(random);
  }
  return drawn;
}

/** Nothing but a destination that cannot be reached. */
export function noFaultsButLane(): Faults {
  return { ...noFaults(), laneDeaths: 1 };
}

/** From now on nothing goes wrong. */
export function clearFaults(faults: Faults): void {
  Object.assign(faults, noFaults());
}

const names = Object.keys(ranges) as (keyof Faults)[];

function noFaults(): Faults {
  return Object.fromEntries(names.map((name) => [name, 0])) as Faults;
}
