/** A date as people write it. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** In seconds, on a clock that is never changed. */
export const dayLength = 86_400;

/**
 * The date of a day that is counted from 1970-01-01. In whole numbers, for `Temporal` takes a
 * hundred times as long. Years are reckoned from March, so that the leap day is their last.
 */
export function civil(day: number): Civil {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** The day counted from 1970-01-01. */
export function dayNumber({ year, month, day }: Civil): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const fromMarch = month > 2 ? month - 3 : month + 9;
  const dayOfYear = Math.floor((153 * fromMarch + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468;
}

/** From Monday, which is 1, to Sunday, which is 7. */
export function weekdayOf(day: number): number {
  return mod(day + 3, 7) + 1;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The first day of the month after a day's. */
export function nextMonth(number: number, { year, month, day }: Civil): number {
  return number + daysInMonth(year, month) - day + 1;
}

export function daysInYear(year: number): number {
  return isLeap(year) ? 366 : 365;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** What is left of a division, never below zero. */
export function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
