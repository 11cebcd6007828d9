import { takeCount, attempt, take, takeMark, takeUnit, type Reader } from "./reader.ts";
import type { Unit, Word } from "./word.ts";

/** A length by unit, as `Temporal` adds it. */
export type Length = Readonly<Partial<Record<Unit, number>>>;

const halves: Readonly<Partial<Record<Unit, Length>>> = {
  minutes: { seconds: 30 },
  hours: { minutes: 30 },
};

/** "2 h 5 min", "an hour and a half", 한 시간 반, 사흘. */
export function takeLength(reader: Reader): Length | undefined {
  let length = attempt(reader, takePair);
  if (length === undefined) return undefined;
  for (;;) {
    const more = attempt(reader, (reader) => {
      takeMark(reader, "and");
      return takePair(reader);
    });
    if (more === undefined) return length;
    length = sum(length, more);
  }
}

function takePair(reader: Reader): Length | undefined {
  const days = take(reader, "days");
  if (days !== undefined) return { days: days.days };
  const decimal = attempt(reader, takeDecimal);
  if (decimal !== undefined) return decimal;
  const count = take(reader, "article") ? { value: 1 } : takeCount(reader);
  // "Two and a half hours", but "half an hour": what is "one half hour"?
  const halfBefore = count === undefined ? take(reader, "half") : attempt(reader, takeAndHalf);
  const unit = takeUnit(reader);
  if (unit === undefined || (count ?? halfBefore) === undefined) return undefined;
  const half = halfBefore ?? attempt(reader, takeAndHalf) ?? take(reader, "half");
  const whole = { [unit]: count?.value ?? 0 };
  if (half === undefined) return whole;
  const rest = halves[unit];
  return rest && sum(whole, rest);
}

/** Parts of an hour or less: half a day could also be a day of the calendar. */
const divisible: Readonly<Partial<Record<Unit, number>>> = {
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
};

/** "1.5 h", 1.5시간. */
function takeDecimal(reader: Reader): Length | undefined {
  const whole = take(reader, "digits");
  if (whole === undefined || !takeMark(reader, ".")) return undefined;
  const part = take(reader, "digits");
  const unit = takeUnit(reader);
  const ms = unit && divisible[unit];
  if (part === undefined || unit === undefined || ms === undefined) return undefined;
  return { [unit]: whole.value, milliseconds: Math.round((part.value / 10 ** part.length) * ms) };
}

function takeAndHalf(reader: Reader): Word | undefined {
  return takeMark(reader, "and") ? take(reader, "half") : undefined;
}

function sum(a: Length, b: Length): Length {
  const total: Partial<Record<Unit, number>> = { ...a };
  for (const unit of Object.keys(b) as Unit[]) total[unit] = (total[unit] ?? 0) + (b[unit] ?? 0);
  return total;
}

/** The same length in the other direction. */
export function negative(length: Length): Length {
  const total: Partial<Record<Unit, number>> = {};
  for (const unit of Object.keys(length) as Unit[]) total[unit] = -(length[unit] ?? 0);
  return total;
}

/** Nothing smaller than a day: then a time of day can be added to it. */
export function isInDays({ hours, minutes, seconds, milliseconds }: Length): boolean {
  return (hours ?? minutes ?? seconds ?? milliseconds) === undefined;
}
