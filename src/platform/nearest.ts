/** The word of the list that was probably meant, if one is close. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const slipsMax = Math.max(Math.floor(typed.length / 3), 1);
  const [best] = known
    .filter((word) => Math.abs(word.length - typed.length) <= slipsMax)
    .map((word) => ({ word, slips: slipsBetween(typed.toLowerCase(), word) }))
    .filter(
      ({ word, slips }) => slips <= slipsMax && (slips < 2 || isAlike(typed.toLowerCase(), word)),
    )
    .toSorted((a, b) => a.slips - b.slips);
  return best?.word;
}

/** Two slips apart: "touch" is not meant by "nosuch", and "start" is by "restart". */
function isAlike(typed: string, word: string): boolean {
  return typed[0] === word[0] || typed.includes(word) || word.includes(typed);
}

/** The number of letters to add, drop, replace or swap with their neighbour. */
export function slipsBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = cell(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? cell(before, j - 2) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, cell(row, j) + 1, cell(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return cell(row, to.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
