import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Machines } from "./machines.ts";
import { nothingExists, type Observation } from "./observation.ts";

/** Machines that take longer to answer are unreachable. */
const answerMsMax = 30_000;

type Observe = (
  id: string,
  signal: AbortSignal,
) => Promise<{
  readonly observation: Observation;
  /** It comes from a list of all, which may be older than the last operation. */
  readonly isList: boolean;
}>;

/** In a list, one workspace costs so much less than on its own: a few among many are observed one by one. */
const listIsCheaperBy = 8;
const inspectionsAtOnce = 32;

/** Answers concurrent requests from one list, which starts after each of them. */
export function batchedObserver(
  machines: Pick<Machines, "name" | "list" | "inspect">,
  clock: Clock,
): Observe {
  const observeOne = directObserver(machines, clock);
  const limited = limiter(inspectionsAtOnce);
  let running: Promise<unknown> = Promise.resolve();
  let next: { readonly ids: Set<string>; readonly started: Promise<Observe> } | undefined;
  let listed = 0;

  const start = (ids: ReadonlySet<string>): Observe => {
    if (ids.size * listIsCheaperBy < listed) {
      return async (...one) => {
        return { observation: await limited(() => observeOne(...one)), isList: false };
      };
    }
    const never = new AbortController().signal; // the list serves many requests: none of them aborts it
    const list = withinLimit(machines, { clock, signal: never }, (signal) => machines.list(signal));
    running = list;
    return async (id) => {
      const all = await list;
      listed = all.size;
      return { observation: all.get(id) ?? nothingExists, isList: true };
    };
  };
  return async (id, signal) => {
    if (next === undefined) {
      const ids = new Set<string>();
      const started = running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start(ids);
        });
      next = { ids, started };
    }
    next.ids.add(id);
    return (await next.started)(id, signal);
  };
}

/** Observes one workspace. */
export function directObserver(
  machines: Pick<Machines, "name" | "inspect">,
  clock: Clock,
): (id: string, signal: AbortSignal) => Promise<Observation> {
  return (id, signal) =>
    withinLimit(machines, { clock, signal }, (limited) => machines.inspect(id, limited));
}

async function withinLimit<T>(
  { name }: { name: string },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  observe: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limits = { clock, timeoutMs: answerMsMax, graceMs: 0, signal };
  const result = await withDeadline(limits, observe);
  if ("done" in result) return result.done;
  const sentence = `${name} did not answer within ${answerMsMax} ms: check whether it is running.`;
  throw new DaybookError("unavailable", sentence, { details: { endpoint: name } });
}

/** Runs so many calls at once; the others wait in order. */
export function limiter(atOnce: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await run();
    } finally {
      // The slot passes to the next call, or becomes free.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
