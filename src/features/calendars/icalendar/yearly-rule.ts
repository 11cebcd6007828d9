const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

/** An RRULE for dates of one month in successive years, such as every last Sunday of March; undefined: there is none. */
export function yearlyRule(dates: readonly Temporal.PlainDate[]): string | undefined {
  const [first] = dates;
  if (first === undefined || dates.length < 2) return undefined;
  const month = `FREQ=YEARLY;BYMONTH=${first.month}`;
  if (!dates.every((date, nth) => date.year === first.year + nth && date.month === first.month)) {
    return undefined;
  }
  if (dates.every(({ day }) => day === first.day)) return `${month};BYMONTHDAY=${first.day}`;
  const weekday = weekdays[first.dayOfWeek - 1];
  if (!dates.every(({ dayOfWeek }) => dayOfWeek === first.dayOfWeek)) return undefined;
  if (dates.every(({ day, daysInMonth }) => day + 7 > daysInMonth)) {
    return `${month};BYDAY=-1${weekday}`;
  }
  const week = weekOf(first);
  return dates.every((date) => weekOf(date) === week)
    ? `${month};BYDAY=${week}${weekday}`
    : undefined;
}

function weekOf({ day }: Temporal.PlainDate): number {
  return Math.ceil(day / 7);
}
