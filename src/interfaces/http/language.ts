import type { Language } from "../../platform/language.ts";

/** The language that a client prefers by `Accept-Language`; undefined when it names none of ours. */
export function acceptedLanguage({ headers }: Request): Language | undefined {
  const named = (headers.get("accept-language") ?? "").split(",").map((part, at) => {
    const [tag = "", ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const weight = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
    return { language: languageOf(tag), weight, at };
  });
  const [best] = named
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.at - b.at);
  return best?.language;
}

function languageOf(tag: string): Language | undefined {
  const [primary] = tag.split("-");
  return primary === "en" || primary === "ko" ? primary : undefined;
}
