/** One measured figure beside what it must reach. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same work done otherwise, in the same run. */
  readonly beside?: { readonly name: string; readonly value: number };
  readonly ratio?: number;
  readonly goal: string;
  readonly ok: boolean;
}

interface Beside {
  /** What it is measured beside: the bare loop unless said. */
  readonly name?: string;
  readonly value: number;
}

/** A rate that must reach a share of another's. */
export function rate(
  name: string,
  value: number,
  beside: Beside & { readonly min: number },
): Figure {
  const { name: other = "bare", value: otherValue, min } = beside;
  const ratio = value / otherValue;
  return {
    name,
    value,
    unit: "/s",
    beside: { name: other, value: otherValue },
    ratio,
    goal: `≥ ${min} of ${other}`,
    ok: ratio >= min,
  };
}

/** A time that may be so many times another one at most. */
export function slower(
  name: string,
  ms: number,
  beside: Beside & { readonly max: number },
): Figure {
  const { name: other = "bare", value, max } = beside;
  const ratio = ms / value;
  return {
    name,
    value: ms,
    unit: "ms",
    beside: { name: other, value },
    ratio,
    goal: `≤ ${max} of ${other}`,
    ok: ratio <= max,
  };
}

/** A rate that must be reached. */
export function atLeast(name: string, value: number, min: number): Figure {
  return { name, value, unit: "/s", goal: `≥ ${min.toLocaleString("en")} /s`, ok: value >= min };
}

/** A time that must stay within a bound. */
export function bound(name: string, ms: number, msMax: number): Figure {
  return { name, value: ms, unit: "ms", goal: `≤ ${msMax} ms`, ok: ms <= msMax };
}

/** Something that must not happen at all. */
export function none(name: string, count: number): Figure {
  return { name, value: count, unit: "times", goal: "never", ok: count === 0 };
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, beside, ratio, goal, ok }) => [
    ok ? "ok" : "MISSED",
    name,
    `${show(value)} ${unit}`,
    beside === undefined ? "" : `${beside.name} ${show(beside.value)}`,
    ratio === undefined ? "" : `ratio ${ratio.toFixed(2)}`,
    goal,
  ]);
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, n) => cell.padEnd(widths?.[n] ?? 0)).join("  "))
    .join("\n");
}

export function json(figures: readonly Figure[]): string {
  return JSON.stringify(Object.fromEntries(figures.map(({ name, ...figure }) => [name, figure])));
}

function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}
