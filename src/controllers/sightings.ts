import type { Clock } from "../base/clock.ts";
import { inTime } from "../base/deadline.ts";
import { DaybookError } from "../base/errors.ts";
import type { Machines } from "../machines/machines.ts";
import { nothingThere, type Sighting } from "../rules/always/sighting.ts";

type Sightings = ReadonlyMap<string, Sighting>;

/** A place that takes longer to say what is there is not reached. */
const answerMsMax = 30_000;

/** Looks at many workspaces by one list: whoever asks gets one that was begun after it asked. */
export function sightings(
  machines: Pick<Machines, "name" | "list">,
  clock: Clock,
): (id: string) => Promise<Sighting> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Sightings> | undefined;

  const begin = (): Promise<Sightings> => {
    const never = new AbortController().signal; // the list is many askers': none of them ends it
    return answered(machines, { clock, signal: never }, (signal) => machines.list(signal));
  };
  return async (id) => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        const list = begin();
        running = list;
        return list;
      });
    const seen = await next;
    return seen.get(id) ?? nothingThere;
  };
}

/** Looks at one. */
export function closeLook(
  machines: Pick<Machines, "name" | "look">,
  clock: Clock,
): (id: string, signal: AbortSignal) => Promise<Sighting> {
  return (id, signal) => answered(machines, { clock, signal }, (told) => machines.look(id, told));
}

async function answered<T>(
  { name }: { name: string },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const came = await inTime({ clock, timeoutMs: answerMsMax, graceMs: 0, signal }, ask);
  if ("done" in came) return came.done;
  const sentence = `${name} did not say what is there within ${answerMsMax} ms.`;
  throw new DaybookError("unavailable", sentence, { details: { endpoint: name } });
}
