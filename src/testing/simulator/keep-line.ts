import { stoppedError } from "../../platform/byte-stream.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { KeepFaults } from "./keep-faults.ts";
import type { Kernel, Life } from "./kernel.ts";
import type { Marks } from "./marks.ts";

export interface LineOptions {
  name: string;
  kernel: Kernel;
  random: Random;
  faults: KeepFaults;
  marks: Marks;
  isAway(): boolean;
  /** Something went wrong for this workspace. */
  harmed(id: string): void;
}

interface Ask<T> {
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
export interface Line {
  ask<T>(life: Life, ask: Ask<T>): Promise<T>;
  /** Until when a call about a workspace hung, or hangs at most, of a node that lives. */
  hangsUntil(id: string, hangMs: number): number;
}

/** A call that was sent arrives by then, or never. */
export const arrivalMsMax = 2_000;
const answerMsMax = 10_000;

export function lineTo(options: LineOptions): Line {
  const { name, kernel, random, faults, marks, harmed } = options;
  const home = kernel.spawn(name, () => undefined);
  const hanging: { id: string; life: Life; since: number; endedAt?: number }[] = [];
  const arrivalMs = (): number =>
    1 + intBelow(random, chance(random, faults.slow) ? arrivalMsMax - 1 : 4);

  /** What became of it there: an answer, or none at all. */
  const carryOut = <T>(life: Life, ask: Ask<T>): { answer: T } | { error: unknown } | "hangs" => {
    const wrong = (error: unknown, mark: string): { error: unknown } => {
      harmed(ask.id);
      marks.reached(`${name} ${mark}`);
      return { error };
    };
    if (options.isAway()) return wrong(nobody(name), "is away");
    if (chance(random, faults.refused)) return wrong(busy(name), "refused");
    try {
      const answer = ask.act();
      if (chance(random, faults.answerLost)) return wrong(nobody(name), "lost an answer");
      if (ask.mayHang === true && chance(random, faults.hang)) {
        wrong(undefined, "hangs");
        const hang: (typeof hanging)[number] = { id: ask.id, life, since: kernel.now() };
        hanging.push(hang);
        ask.signal.addEventListener("abort", () => (hang.endedAt = kernel.now()), { once: true });
        return "hangs";
      }
      return { answer };
    } catch (error) {
      return wrong(error, `said no to ${ask.what}`);
    }
  };
  return {
    ask: <T>(life: Life, ask: Ask<T>) =>
      new Promise<T>((resolve, reject) => {
        const { signal, what } = ask;
        if (signal.aborted) return reject(stoppedError());
        const stop = (): void => reject(stoppedError());
        signal.addEventListener("abort", stop, { once: true });
        const arrive = (): void => {
          if (!life.alive && chance(random, 0.5)) return;
          const came = carryOut(life, ask);
          kernel.trace.add(kernel.now(), life.name, `${what} ${ask.id}`);
          if (came === "hangs") return;
          const lateMs = chance(random, faults.slow) ? intBelow(random, answerMsMax) : 1;
          const answer = (): void => {
            signal.removeEventListener("abort", stop);
            if ("answer" in came) resolve(came.answer);
            else reject(came.error);
          };
          kernel.after((ask.tookMs ?? 0) + lateMs, `${what} answers`, answer, life);
        };
        kernel.after(arrivalMs(), `${what} arrives`, arrive, home);
      }),
    hangsUntil(id, hangMs) {
      const all = hanging.filter((each) => each.id === id && each.life.alive);
      return Math.max(0, ...all.map(({ since, endedAt }) => endedAt ?? since + hangMs));
    },
  };
}

function nobody(name: string): DaybookError {
  const sentence = `${name} does not answer: look whether it runs.`;
  return new DaybookError("unavailable", sentence, { details: { endpoint: name } });
}

function busy(name: string): DaybookError {
  return new DaybookError("busy", `${name} has something else to do: ask again.`);
}

/** The same bytes in two pieces, with a moment between; some end before their end. */
export async function* inPieces(
  bytes: Uint8Array,
  { kernel, random, faults, harmed, name }: LineOptions,
  { life, id }: { life: Life; id: string },
): AsyncGenerator<Uint8Array> {
  const isCut = chance(random, faults.cut);
  const half = bytes.length >> 1;
  yield bytes.subarray(0, half);
  const restMs = 1 + intBelow(random, chance(random, 0.3) ? 4_000 : 50);
  await new Promise<void>((go) => void kernel.after(restMs, "more bytes", go, life));
  if (isCut) {
    harmed(id);
    throw nobody(name);
  }
  yield bytes.subarray(half);
}
