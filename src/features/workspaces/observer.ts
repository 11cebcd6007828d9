import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Machines } from "./machines.ts";
import { nothingThere, type Observation } from "./observation.ts";

/** Machines that take longer to answer count as unreachable. */
const answerMsMax = 30_000;

/** One observation; `isList`: from a list of all, which may be older than the last operation. */
interface Seen {
  readonly observation: Observation;
  readonly isList: boolean;
}

type See = (id: string, signal: AbortSignal) => Promise<Seen>;

/** Few among many are observed one by one: a list costs as much as all of them, at so much less for each. */
const listIsCheaperBy = 8;
const looksAtOnce = 32;

/** Answers requests that come together by one list, which was begun after each of them. */
export function batchedObserver(
  machines: Pick<Machines, "name" | "list" | "look">,
  clock: Clock,
): See {
  const lookAt = directObserver(machines, clock);
  const inTurn = turns(looksAtOnce);
  let running: Promise<unknown> = Promise.resolve();
  let next: { readonly ids: Set<string>; readonly begun: Promise<See> } | undefined;
  let listed = 0;

  const begin = (ids: ReadonlySet<string>): See => {
    if (ids.size * listIsCheaperBy < listed) {
      return async (...one) => ({ observation: await inTurn(() => lookAt(...one)), isList: false });
    }
    const never = new AbortController().signal; // the list serves many requests: none of them aborts it
    const list = answered(machines, { clock, signal: never }, (signal) => machines.list(signal));
    running = list;
    return async (id) => {
      const all = await list;
      listed = all.size;
      return { observation: all.get(id) ?? nothingThere, isList: true };
    };
  };
  return async (id, signal) => {
    if (next === undefined) {
      const ids = new Set<string>();
      const begun = running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return begin(ids);
        });
      next = { ids, begun };
    }
    next.ids.add(id);
    return (await next.begun)(id, signal);
  };
}

/** Observes one. */
export function directObserver(
  machines: Pick<Machines, "name" | "look">,
  clock: Clock,
): (id: string, signal: AbortSignal) => Promise<Observation> {
  return (id, signal) => answered(machines, { clock, signal }, (told) => machines.look(id, told));
}

async function answered<T>(
  { name }: { name: string },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const came = await withDeadline({ clock, timeoutMs: answerMsMax, graceMs: 0, signal }, ask);
  if ("done" in came) return came.done;
  const sentence = `${name} did not say what is there within ${answerMsMax} ms.`;
  throw new DaybookError("unavailable", sentence, { details: { endpoint: name } });
}

/** Runs so many at once; the others wait in order. */
export function turns(atOnce: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await run();
    } finally {
      // A turn that ends passes to the next, or is free.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
