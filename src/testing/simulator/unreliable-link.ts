import { stoppedError } from "../../platform/byte-stream.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { Kernel, VirtualProcess } from "./kernel.ts";
import type { Marks } from "./marks.ts";
import type { WorkspaceFaults } from "./workspace-faults.ts";

export interface LinkOptions {
  name: string;
  kernel: Kernel;
  random: Random;
  faults: WorkspaceFaults;
  marks: Marks;
  isAway(): boolean;
  /** Something went wrong for this workspace. */
  faulted(id: string): void;
}

interface Call<T> {
  what: string;
  /** The workspace that it is about; empty: all. */
  id: string;
  signal: AbortSignal;
  /** What happens there, at once. */
  act(): T;
  /** How long it takes until it is said. */
  tookMs?: number;
  /** It may be that nobody ever answers. */
  mayHang?: boolean;
}

/** The way to something outside that all nodes share: it may be away, refuse, be slow, do it and not say so. */
export interface Link {
  call<T>(process: VirtualProcess, call: Call<T>): Promise<T>;
  /** Until when a call about a workspace hung, or hangs at most, of a node that lives. */
  hangsUntil(id: string, hangMs: number): number;
}

/** A call that was sent arrives by then, or never. */
export const arrivalMsMax = 2_000;
const answerMsMax = 10_000;

export function linkTo(options: LinkOptions): Link {
  const { name, kernel, random, faults, marks, faulted } = options;
  const home = kernel.spawn(name, () => undefined);
  const hangs: { id: string; process: VirtualProcess; since: number; endedAt?: number }[] = [];
  const arrivalMs = (): number =>
    1 + intBelow(random, chance(random, faults.slow) ? arrivalMsMax - 1 : 4);

  /** What became of it there: an answer, or none at all. */
  const perform = <T>(
    process: VirtualProcess,
    call: Call<T>,
  ): { answer: T } | { error: unknown } | "hangs" => {
    const failed = (error: unknown, mark: string): { error: unknown } => {
      faulted(call.id);
      marks.reached(`${name} ${mark}`);
      return { error };
    };
    if (options.isAway()) return failed(unavailable(name), "is away");
    if (chance(random, faults.refused)) return failed(busy(name), "refused");
    try {
      const answer = call.act();
      if (chance(random, faults.answerLost)) return failed(unavailable(name), "lost an answer");
      if (call.mayHang === true && chance(random, faults.hang)) {
        failed(undefined, "hangs");
        const hang: (typeof hangs)[number] = { id: call.id, process, since: kernel.now() };
        hangs.push(hang);
        call.signal.addEventListener("abort", () => (hang.endedAt = kernel.now()), { once: true });
        return "hangs";
      }
      return { answer };
    } catch (error) {
      return failed(error, `said no to ${call.what}`);
    }
  };
  return {
    call: <T>(process: VirtualProcess, call: Call<T>) =>
      new Promise<T>((resolve, reject) => {
        const { signal, what } = call;
        if (signal.aborted) return reject(stoppedError());
        const stop = (): void => reject(stoppedError());
        signal.addEventListener("abort", stop, { once: true });
        const arrive = (): void => {
          if (!process.alive && chance(random, 0.5)) return;
          const outcome = perform(process, call);
          kernel.trace.add(kernel.now(), process.name, `${what} ${call.id}`);
          if (outcome === "hangs") return;
          const lateMs = chance(random, faults.slow) ? intBelow(random, answerMsMax) : 1;
          const answer = (): void => {
            signal.removeEventListener("abort", stop);
            if ("answer" in outcome) resolve(outcome.answer);
            else reject(outcome.error);
          };
          kernel.after((call.tookMs ?? 0) + lateMs, `${what} answers`, answer, process);
        };
        kernel.after(arrivalMs(), `${what} arrives`, arrive, home);
      }),
    hangsUntil(id, hangMs) {
      const all = hangs.filter((each) => each.id === id && each.process.alive);
      return Math.max(0, ...all.map(({ since, endedAt }) => endedAt ?? since + hangMs));
    },
  };
}

function unavailable(name: string): DaybookError {
  const sentence = `${name} does not answer: look whether it runs.`;
  return new DaybookError("unavailable", sentence, { details: { endpoint: name } });
}

function busy(name: string): DaybookError {
  return new DaybookError("busy", `${name} has something else to do: ask again.`);
}

/** The same bytes in two pieces, with a moment between; some end before their end. */
export async function* inPieces(
  bytes: Uint8Array,
  { kernel, random, faults, faulted, name }: LinkOptions,
  { process, id }: { process: VirtualProcess; id: string },
): AsyncGenerator<Uint8Array> {
  const isCut = chance(random, faults.cut);
  const half = bytes.length >> 1;
  yield bytes.subarray(0, half);
  const restMs = 1 + intBelow(random, chance(random, 0.3) ? 4_000 : 50);
  await new Promise<void>((go) => void kernel.after(restMs, "more bytes", go, process));
  if (isCut) {
    faulted(id);
    throw unavailable(name);
  }
  yield bytes.subarray(half);
}
