import type { SourceEvent, Source } from "../../features/events/source.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { Kernel } from "./kernel.ts";
import type { Marks } from "./marks.ts";

export const sourceName = "svc";
/** Whose source it is. */
export const sourceOwner = "ann";
export const askedEveryMs = 5_000;

/** A service elsewhere: things happen there, and whoever asks is told of those after a cursor. */
export interface SimService {
  /** Names of all that has happened. */
  readonly happened: readonly string[];
  /** How one node asks it. */
  source(clock: Clock, random: Random): Source;
}

const atOnce = 3;
const happensMax = 8;

export function simService(
  kernel: Kernel,
  options: { isOpen: boolean; lengthMs: number; marks: Marks; isWell(): boolean },
): SimService {
  const random = kernel.randomFor(13);
  const happened: string[] = [];
  const times: number[] = [];
  const count = options.isOpen ? intBelow(random, happensMax) : 0;
  for (let left = count; left > 0; left -= 1) {
    const happen = (): void => {
      times.push(kernel.now());
      happened.push(`evt-svc-${happened.length + 1}`);
    };
    kernel.after(intBelow(random, options.lengthMs), "something happens", happen, null);
  }
  const eventAt = (index: number): SourceEvent => ({
    name: happened[index] ?? "",
    type: "svc.told",
    repo: null,
    payload: { n: index },
    at: times[index] ?? 0,
    ...(index % 3 === 2 ? { priority: "high" } : {}),
  });
  return {
    happened,
    source: (clock, own) => ({
      name: sourceName,
      async poll(cursor, { signal }) {
        await sleep(clock, 1 + intBelow(own, 200), signal);
        if (!options.isWell() && chance(own, 0.3)) await trouble(clock, own, signal);
        const heard = Number(cursor ?? 0);
        // Some it tells once more: it does not know what was heard.
        const from = chance(own, 0.4) ? Math.max(heard - 1, 0) : heard;
        if (from < heard) options.marks.reached("a source told something again");
        const to = Math.min(from + atOnce, happened.length);
        const events = happened.slice(from, to).map((_, index) => eventAt(from + index));
        return { events, cursor: Math.max(to, heard), more: to < happened.length };
      },
    }),
  };
}

async function trouble(clock: Clock, random: Random, signal: AbortSignal): Promise<void> {
  if (chance(random, 0.3)) await sleep(clock, 30_000, signal);
  throw new Error("the service is not well");
}
