import { oneLine, quote } from "../../platform/text.ts";

const messageCharsMax = 200;

/**
 * What was changed, for the agent to confirm to a person: the message, the time as it was read and the target, as far
 * as the text of the answer does not name them. Empty for answers of another shape.
 */
export function confirmation(output: Readonly<Record<string, unknown>>, text: string): string[] {
  const { message, due, target } = output;
  if (typeof message !== "string" || typeof target !== "string" || !hasText(due)) return [];
  return [
    `Message: ${quote(oneLine(message, messageCharsMax))}`,
    ...(text.includes(due.text) ? [] : [`Time: ${due.text}`]),
    ...(text.includes(target) ? [] : [`Target: ${target}`]),
  ];
}

function hasText(due: unknown): due is { readonly text: string } {
  return typeof due === "object" && due !== null && "text" in due && typeof due.text === "string";
}
