import { harmless } from "../text.ts";
import { visible, withMark, type Mark, type Rich } from "./runs.ts";

/** What an address may take in the narrowest markup, so that it leaves room for its label. */
const sizeMax = 1_500;
const shape = /^https?:\/\/[^\s\p{C}<>`\\]+$/iu;

/**
 * A label that leads to an address. What is no address on the web does not become a link, and where
 * the label could pass for another address, or would break a link, the real one is shown beside it.
 */
export function linkRuns(label: Rich, address: string, marks: readonly Mark[]): Rich {
  const text = visible(label);
  const isShown = text === address || `mailto:${text}` === address || address === "";
  const link = isLink(address) ? { link: address } : undefined;
  const isPlain = text === address || !/:\/\/|[[\]]/.test(text);
  if (link !== undefined && isPlain && text.trim() !== "") {
    return label.map((run) => ({ text: run.text, marks: withMark(run.marks, link) }));
  }
  if (isShown) return label;
  const beside = link === undefined ? marks : withMark(marks, link);
  return [
    ...label,
    { text: text === "" ? "(" : " (", marks },
    { text: harmless(address).toWellFormed(), marks: beside },
    { text: ")", marks },
  ];
}

function isLink(address: string): boolean {
  const escapes = address.match(/[&"]/g)?.length ?? 0;
  const size = address.length + escapes * "&quot;".length;
  return size <= sizeMax && shape.test(address) && URL.canParse(address);
}
