import { createHash } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** Creates ids that sort by their creation time: UUID version 7 (RFC 9562). */
export type Ids = () => string;

/** Ids of one source only rise, even within a millisecond and when the wall clock steps back. */
export function ids(clock: Pick<Clock, "wall">, random: Random): Ids {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const wall = Math.floor(clock.wall());
    if (wall > lastMs) {
      lastMs = wall;
      counter = random.bits() & 0x7ff; // the top bit stays free, so a burst has room to count
    } else if (counter < 0xfff) {
      counter += 1;
    } else {
      lastMs += 1;
      counter = 0;
    }
    return format(lastMs, counter, random);
  };
}

function format(ms: number, counter: number, random: Random): string {
  const time = ms.toString(16).padStart(12, "0");
  const variant = ((random.bits() & 0x3fff) | 0x8000).toString(16);
  const tail = hex32(random.bits()) + (random.bits() & 0xffff).toString(16).padStart(4, "0");
  const count = counter.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}-${tail}`;
}

function hex32(value: number): string {
  return value.toString(16).padStart(8, "0");
}

/** The id for a name: the same name always gives the same id. UUID version 8, whose bits are free. */
export function idFrom(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 20), 16) & 0x3fff) | 0x8000).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}-${hex.slice(20, 32)}`;
}

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function isId(text: string): boolean {
  return shape.test(text);
}
