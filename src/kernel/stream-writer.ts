import type { Clock } from "../platform/clock.ts";
import { DaybookError, messageOf } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { Events } from "./events.ts";
import type { ActiveAttempt } from "./lease-renewer.ts";
import type { Work } from "./ledger.ts";
import { mayPass, untilAnswered } from "./store-retry.ts";
import type { Written } from "./work-unit.ts";

interface StreamPorts {
  work: Work;
  clock: Clock;
  events: Bus<Events>;
  /** False once the attempt is settled: an act that was abandoned writes nothing any more. */
  isKept(): boolean;
}

const nothing = new Uint8Array();

/** Adds bytes to the streams of a record at work, each chunk exactly once, one after the other. */
export function streamWriter(
  run: ActiveAttempt,
  ports: StreamPorts,
): (stream: string, bytes: Uint8Array) => Promise<void> {
  const { work, clock, events } = ports;
  const { id, lease } = run.record;
  const ends = new Map<string, number>();
  let writing: Promise<unknown> = Promise.resolve();

  /** Writes until the store answers. */
  const ask = (stream: string, offset: number, bytes: Uint8Array): Promise<Written> => {
    const once = async (): Promise<Written> => {
      if (!ports.isKept()) throw new DaybookError("stale", "The attempt is over.");
      return work.write({ id, fence: lease.fence, stream, offset, bytes });
    };
    const givesUp = (error: unknown): boolean => {
      if (run.signal.aborted || !mayPass(error)) return true;
      events.emit("store failed", { doing: "write output", reason: messageOf(error) });
      return false;
    };
    return untilAnswered(clock, once, givesUp, run.signal);
  };
  const endOf = async (stream: string): Promise<number> => {
    const known = ends.get(stream);
    if (known !== undefined) return known;
    if (lease.fence === 1) return 0; // the first attempt
    return sizeIn(await ask(stream, 0, nothing));
  };
  const write = async (stream: string, bytes: Uint8Array): Promise<void> => {
    const end = await endOf(stream);
    const size = sizeIn(await ask(stream, end, bytes));
    // A gap of just these bytes: they were written by a try whose answer was lost.
    if (size !== end + bytes.length) {
      throw new DaybookError("bug", `The output of ${id} ends at ${size}, not at ${end}.`);
    }
    ends.set(stream, size);
  };
  return (stream, bytes) => {
    const written = writing.then(() => write(stream, bytes));
    writing = written.catch(() => undefined);
    return written;
  };
}

function sizeIn(written: Written): number {
  if (written.result === "stale") throw new DaybookError("stale", "The lease is lost.");
  return written.size;
}
