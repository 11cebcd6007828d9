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

function takeAndHalf(reader: Reader): Word | undefined {
  return takeMark(reader, "and") ? take(reader, "half") : undefined;
}

function sum(a: Length, b: Length): Length {
  const total: Partial<Record<Unit, number>> = { ...a };
  for (const unit of Object.keys(b) as Unit[]) total[unit] = (total[unit] ?? 0) + (b[unit] ?? 0);
  return total;
}

/** Nothing smaller than a day: then a time of day can be added to it. */
export function isInDays({ hours, minutes, seconds, milliseconds }: Length): boolean {
  return (hours ?? minutes ?? seconds ?? milliseconds) === undefined;
}
