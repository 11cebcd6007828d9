import { widthOf } from "../../platform/display-width.ts";

/** Aligns cells in columns, counting wide letters twice. */
export function columns(
  rows: readonly (readonly string[])[],
  indent = "  ",
  gap = "   ",
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))));
  }
  return rows.map((row) => {
    const cells = row.map((cell, at) => `${cell}${" ".repeat((widths[at] ?? 0) - widthOf(cell))}`);
    return `${indent}${cells.join(gap)}`.trimEnd();
  });
}

const codes = { dim: 2, red: 31, green: 32, yellow: 33 } as const;

export function paint(color: boolean, as: keyof typeof codes, text: string): string {
  return color ? `\u001B[${codes[as]}m${text}\u001B[0m` : text;
}
