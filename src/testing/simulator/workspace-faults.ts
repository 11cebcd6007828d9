import { fraction, type Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { Kernel } from "./kernel.ts";
import type { Scale } from "./scale.ts";

/** How often each thing goes wrong at most where workspaces live: a chance for each call, or times in a minute. */
const ranges = {
  // The engine and the storage, and the way to them.
  answerLost: 0.15,
  refused: 0.15,
  slow: 0.2,
  hang: 0.02,
  staleList: 0.5,
  // A stream that ends before its end.
  cut: 0.2,
  // Bytes that are not kept as they came, and bytes that go bad where they lie.
  corruptWrite: 0.1,
  bitRot: 0.3,
  // In a minute of the world.
  deaths: 4,
  engineAway: 0.4,
  storageAway: 0.4,
};

export type WorkspaceFaults = typeof ranges & {
  /** Set while it lasts. */
  isEngineAway: boolean;
  isStorageAway: boolean;
};

const names = Object.keys(ranges) as (keyof typeof ranges)[];

/** Each seed has its own few. */
export function drawWorkspaceFaults(random: Random, isCalm: boolean): WorkspaceFaults {
  const drawn = noWorkspaceFaults();
  if (isCalm) return drawn;
  for (const name of names) {
    if (chance(random, 0.5)) drawn[name] = ranges[name] * fraction(random);
  }
  // Most worlds keep their bytes.
  if (chance(random, 0.7)) drawn.bitRot = 0;
  return drawn;
}

function noWorkspaceFaults(): WorkspaceFaults {
  const none = Object.fromEntries(names.map((name) => [name, 0])) as typeof ranges;
  return { ...none, isEngineAway: false, isStorageAway: false };
}

/** From now on nothing goes wrong, but for what hangs already. */
export function clearWorkspaceFaults(faults: WorkspaceFaults): void {
  Object.assign(faults, noWorkspaceFaults());
}

interface PlanOptions {
  kernel: Kernel;
  faults: WorkspaceFaults;
  scale: Scale;
  /** One that runs ends by itself. */
  failMachine(): void;
  /** Something that is kept goes bad. */
  bitRot(): void;
}

const awayMsMax = 3 * 60_000;

/** Draws when machines die, and when the engine and the storage are away. */
export function planWorkspaceFaults({
  kernel,
  faults,
  scale,
  failMachine,
  bitRot,
}: PlanOptions): void {
  const random = kernel.randomFor(15);
  const repeat = (perMinute: number, what: string, run: () => void): void => {
    for (let left = Math.round((perMinute * scale.lengthMs) / 60_000); left > 0; left -= 1) {
      kernel.after(intBelow(random, scale.lengthMs), what, run, null);
    }
  };
  const startOutage = (name: "isEngineAway" | "isStorageAway") => (): void => {
    faults[name] = true;
    const back = (): void => void (faults[name] = false);
    kernel.after(1_000 + intBelow(random, awayMsMax), "it is back", back, null);
  };
  repeat(faults.deaths, "a machine dies", failMachine);
  repeat(faults.bitRot, "bytes go bad", bitRot);
  repeat(faults.engineAway, "the engine is away", startOutage("isEngineAway"));
  repeat(faults.storageAway, "storage is away", startOutage("isStorageAway"));
}
