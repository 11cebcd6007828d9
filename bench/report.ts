/** One measured figure beside what it must reach. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same work in a bare loop, in the same run. */
  readonly bare?: number;
  readonly ratio?: number;
  readonly goal: string;
  readonly ok: boolean;
}

/** A rate that must reach a share of the bare loop's. */
export function rate(name: string, value: number, bare: number, ratioMin: number): Figure {
  const ratio = value / bare;
  return {
    name,
    value,
    unit: "/s",
    bare,
    ratio,
    goal: `≥ ${ratioMin} of bare`,
    ok: ratio >= ratioMin,
  };
}

/** A time that must stay below a bound. */
export function bound(name: string, ms: number, msMax: number): Figure {
  return { name, value: ms, unit: "ms", goal: `< ${msMax} ms`, ok: ms < msMax };
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, bare, ratio, goal, ok }) => [
    ok ? "ok" : "MISSED",
    name,
    `${show(value)} ${unit}`,
    bare === undefined ? "" : `bare ${show(bare)}`,
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

function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
