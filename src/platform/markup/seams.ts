import type { Token } from "./nest.ts";

/** Takes no room. */
export const zeroWidth = "\u200B";

/**
 * The markup in one. A sign counts only beside a space, or where nothing stands; between others
 * stands what takes no room, so that each is read for itself.
 */
export function seamed(tokens: readonly Token[]): string {
  const pieces = tokens.filter(({ text }) => text !== "");
  return pieces
    .map((token, at) => {
      const before = pieces[at - 1];
      return before !== undefined && isSeam(before, token) ? zeroWidth + token.text : token.text;
    })
    .join("");
}

function isSeam(before: Token, after: Token): boolean {
  if (before.is === "close" && after.is === "open") return true;
  if (before.is === "text" && after.is === "open") return /\S$/u.test(before.text);
  return before.is === "close" && after.is === "text" && /^\S/u.test(after.text);
}

/** Lines of code between their fences. */
export function fenced(code: string, language = ""): string {
  const apart = code.replaceAll(/`(?=``)/g, `\`${zeroWidth}`);
  return `\`\`\`${language}\n${apart}${apart.endsWith("`") ? zeroWidth : ""}\`\`\``;
}
