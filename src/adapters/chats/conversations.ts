import type { Log } from "../../platform/log.ts";
import type { Hear, Heard, Told } from "./chat.ts";

/** Hears one after the other in one place, and places side by side. */
export interface Ears {
  /**
   * Resolves when it was heard: what it asked for is written down then. The answer goes out after
   * those before it in the same place. What was heard before is not heard again.
   */
  hear(heard: Heard, answer: (told: Told) => Promise<void>): Promise<void>;
  /** Resolves when all that was heard is answered. */
  idle(): Promise<void>;
}

/** So many are known when they are told again: more than a service repeats. */
const knownMax = 10_000;
/** So many answers may wait in a place before it is heard no further. */
const answersMax = 20;

interface Place {
  hearing: Promise<void>;
  answering: Promise<void>;
  /** Heard or to be heard, and not yet answered. */
  open: number;
  answers: number;
}

export function inOrder({ hear, log }: { hear: Hear; log: Log }): Ears {
  const known = new Map<string, Promise<void>>();
  const places = new Map<string, Place>();
  const failed = (heard: Heard) => (error: unknown) =>
    log.warn("chat.unanswered", { channel: heard.channel, place: heard.place, error });

  const turn = async (place: Place, heard: Heard, answer: Answer): Promise<Answered> => {
    if (place.answers >= answersMax) await place.answering;
    const told = await hear(heard);
    place.answers += 1;
    place.answering = place.answering
      .then(() => answer(told))
      .catch(failed(heard))
      .finally(() => (place.answers -= 1));
    return { answered: place.answering };
  };
  const take = (heard: Heard, answer: Answer): Promise<void> => {
    const name = `${heard.channel}:${heard.place}`;
    const place = places.get(name) ?? fresh();
    places.set(name, place);
    place.open += 1;
    const close = (): void => {
      place.open -= 1;
      if (place.open === 0) places.delete(name);
    };
    place.hearing = place.hearing
      .then(() => turn(place, heard, answer))
      .then(
        ({ answered }) => void answered.finally(close),
        (error: unknown) => {
          failed(heard)(error);
          close();
        },
      );
    return place.hearing;
  };
  return {
    hear(heard, answer) {
      const id = `${heard.channel}:${heard.id}`;
      const before = known.get(id);
      if (before !== undefined) return before;
      const taken = take(heard, answer);
      known.set(id, taken);
      const [oldest] = known.keys();
      if (known.size > knownMax && oldest !== undefined) known.delete(oldest);
      return taken;
    },
    async idle() {
      while (places.size > 0) {
        const all = [...places.values()];
        await Promise.all(all.map((place) => place.hearing.then(() => place.answering)));
      }
    },
  };
}

type Answer = (told: Told) => Promise<void>;

/** In an object, or whoever waits for the hearing would wait for the answer too. */
interface Answered {
  readonly answered: Promise<void>;
}

function fresh(): Place {
  return { hearing: Promise.resolve(), answering: Promise.resolve(), open: 0, answers: 0 };
}
