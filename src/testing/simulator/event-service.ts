import type { SourceEvent, Source } from "../../features/events/source.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { Kernel } from "./kernel.ts";
import type { Marks } from "./marks.ts";

export const sourceName = "svc";
/** Whose source it is. */
export const sourceOwner = "ann";
export const sourcePollMs = 5_000;

/** A service elsewhere: things happen there, and whoever asks is told of those after a cursor. */
export interface SimService {
  /** Names of all that has happened. */
  readonly eventNames: readonly string[];
  /** How one node asks it. */
  source(clock: Clock, random: Random): Source;
}

const pageSize = 3;
const eventsMax = 8;

export function simService(
  kernel: Kernel,
  options: { isEnabled: boolean; lengthMs: number; marks: Marks; isRecovered(): boolean },
): SimService {
  const random = kernel.randomFor(13);
  const eventNames: string[] = [];
  const times: number[] = [];
  const count = options.isEnabled ? intBelow(random, eventsMax) : 0;
  for (let left = count; left > 0; left -= 1) {
    const addEvent = (): void => {
      times.push(kernel.now());
      eventNames.push(`evt-svc-${eventNames.length + 1}`);
    };
    kernel.after(intBelow(random, options.lengthMs), "something happens", addEvent, null);
  }
  const eventAt = (index: number): SourceEvent => ({
    name: eventNames[index] ?? "",
    type: "svc.told",
    repo: null,
    payload: { n: index },
    at: times[index] ?? 0,
    ...(index % 3 === 2 ? { priority: "high" } : {}),
  });
  return {
    eventNames,
    source: (clock, own) => ({
      name: sourceName,
      async poll(cursor, { signal }) {
        await sleep(clock, 1 + intBelow(own, 200), signal);
        if (!options.isRecovered() && chance(own, 0.3)) await failOrHang(clock, own, signal);
        const position = Number(cursor ?? 0);
        // Some it tells once more: it does not know what was heard.
        const from = chance(own, 0.4) ? Math.max(position - 1, 0) : position;
        if (from < position) options.marks.reached("a source returned an event again");
        const to = Math.min(from + pageSize, eventNames.length);
        const events = eventNames.slice(from, to).map((_, index) => eventAt(from + index));
        return { events, cursor: Math.max(to, position), more: to < eventNames.length };
      },
    }),
  };
}

async function failOrHang(clock: Clock, random: Random, signal: AbortSignal): Promise<void> {
  if (chance(random, 0.3)) await sleep(clock, 30_000, signal);
  throw new Error("the service is not well");
}
