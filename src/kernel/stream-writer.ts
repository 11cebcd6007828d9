import type { Clock } from "../platform/clock.ts";
import { DaybookError, messageOf } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { Events } from "./events.ts";
import type { ActiveAttempt } from "./lease-renewer.ts";
import type { Work } from "./ledger.ts";
import { isTransient, retryUntilAnswered } from "./store-retry.ts";
import type { Written } from "./work-unit.ts";

interface StreamPorts {
  work: Work;
  clock: Clock;
  events: Bus<Events>;
  /** False once the attempt is settled: an abandoned act must write nothing. */
  isActive(): boolean;
}

const noBytes = new Uint8Array();

/** Appends bytes to the streams of a claimed record, each chunk exactly once and in order. */
export function streamWriter(
  run: ActiveAttempt,
  ports: StreamPorts,
): (stream: string, bytes: Uint8Array) => Promise<void> {
  const { work, clock, events } = ports;
  const { id, lease } = run.record;
  const ends = new Map<string, number>();
  let writing: Promise<unknown> = Promise.resolve();

  const writeUntilAnswered = (
    stream: string,
    offset: number,
    bytes: Uint8Array,
  ): Promise<Written> => {
    const call = async (): Promise<Written> => {
      if (!ports.isActive()) throw new DaybookError("stale", "The attempt has ended.");
      return work.write({ id, fence: lease.fence, stream, offset, bytes });
    };
    const givesUp = (error: unknown): boolean => {
      if (run.signal.aborted || !isTransient(error)) return true;
      events.emit("store failed", { doing: "write output", reason: messageOf(error) });
      return false;
    };
    return retryUntilAnswered(clock, call, givesUp, run.signal);
  };
  const endOf = async (stream: string): Promise<number> => {
    const end = ends.get(stream);
    if (end !== undefined) return end;
    if (lease.fence === 1) return 0; // the first attempt
    return sizeIn(await writeUntilAnswered(stream, 0, noBytes));
  };
  const write = async (stream: string, bytes: Uint8Array): Promise<void> => {
    const end = await endOf(stream);
    const size = sizeIn(await writeUntilAnswered(stream, end, bytes));
    // A gap of exactly these bytes: an earlier try wrote them, and its answer was lost.
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
