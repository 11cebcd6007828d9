import type { CalendarConnector, CalendarService } from "../../features/calendars/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Random } from "../../platform/random.ts";
import { chance } from "../chance.ts";

/** What goes wrong between a node and its service. */
export interface ServiceFaults {
  /** The share of calls whose answer is lost, that fail before they are done, and that fail for one entry alone. */
  lost: number;
  cutOff: number;
  refused: number;
  /** The node dies after so many more calls. */
  callsLeft: number;
  /** How many writes were asked for. */
  writes: number;
}

export function noFaults(): ServiceFaults {
  return { lost: 0, cutOff: 0, refused: 0, callsLeft: Infinity, writes: 0 };
}

/** The same service over a bad line. */
export function faultyConnector(
  connector: CalendarConnector,
  faults: ServiceFaults,
  random: Random,
): CalendarConnector {
  const call = async <T>(isWrite: boolean, act: () => Promise<T>): Promise<T> => {
    faults.callsLeft -= 1;
    if (faults.callsLeft < 0) throw failure("The node is dead.");
    if (chance(random, faults.cutOff)) throw failure("The service is down.");
    if (isWrite && chance(random, faults.refused)) throw failure("Not this one.", { entry: true });
    if (isWrite) faults.writes += 1;
    const answer = await act();
    if (chance(random, faults.lost)) throw failure("The answer was lost.", { entry: isWrite });
    return answer;
  };
  return {
    ...connector,
    resolve: connector.resolve,
    open(account): CalendarService {
      const service = connector.open(account);
      const refuse = service.refuse?.bind(service);
      return {
        changes: (token, signal) => call(false, () => service.changes(token, signal)),
        put: (put, signal) => call(true, () => service.put(put, signal)),
        remove: (remove, signal) => call(true, () => service.remove(remove, signal)),
        ...(refuse && {
          refuse: (location, reason, signal) => call(true, () => refuse(location, reason, signal)),
        }),
      };
    },
  };
}

function failure(sentence: string, details: Record<string, unknown> = {}): DaybookError {
  return new DaybookError("unavailable", sentence, { details });
}
