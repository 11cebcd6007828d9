import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Machines } from "./machines.ts";
import { nothingThere, type Observation } from "./observation.ts";
import { turns } from "./turnstile.ts";

/** A place that takes longer to say what is there is not reached. */
const answerMsMax = 30_000;

/** What was seen of one; `isList`: together with all others, and so maybe older than what was done. */
interface Seen {
  readonly observation: Observation;
  readonly isList: boolean;
}

type See = (id: string, signal: AbortSignal) => Promise<Seen>;

/** Few among many are looked at one by one: a list costs as much as there is, and so much less for each. */
const listIsCheaperBy = 8;
const looksAtOnce = 32;

/** Looks at those who ask together by one list; whoever asks gets one that was begun after it asked. */
export function sightings(machines: Pick<Machines, "name" | "list" | "look">, clock: Clock): See {
  const lookAt = closeLook(machines, clock);
  const inTurn = turns(looksAtOnce);
  let running: Promise<unknown> = Promise.resolve();
  let next: { readonly ids: Set<string>; readonly begun: Promise<See> } | undefined;
  let listed = 0;

  const begin = (ids: ReadonlySet<string>): See => {
    if (ids.size * listIsCheaperBy < listed) {
      return async (...one) => ({ observation: await inTurn(() => lookAt(...one)), isList: false });
    }
    const never = new AbortController().signal; // the list is many askers': none of them ends it
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

/** Looks at one. */
export function closeLook(
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
