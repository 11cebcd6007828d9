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

/** Hangul, Han, Kana and full-width forms: two columns each on a terminal. */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/gu;

export function widthOf(text: string): number {
  return Array.from(text).length + (text.match(wide)?.length ?? 0);
}

const codes = { dim: 2, red: 31, green: 32, yellow: 33 } as const;

export function paint(color: boolean, as: keyof typeof codes, text: string): string {
  return color ? `\u001B[${codes[as]}m${text}\u001B[0m` : text;
}
