const charsMaxDefault = 4_096;

/** Remembers the last line with something on it, of a text that comes in pieces. */
export function lastLine(charsMax = charsMaxDefault): { hear(text: string): void; line(): string } {
  let tail = "";
  return {
    hear(text) {
      const all = `${tail}${text}`;
      const end = all.trimEnd();
      const gap = all.slice(end.length);
      tail = `${end}${gap.includes("\n") ? "\n" : gap}`.slice(-charsMax);
    },
    line: () => tail.trimEnd().split("\n").at(-1)?.trim() ?? "",
  };
}
