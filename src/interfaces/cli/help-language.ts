import type { Language } from "../../platform/language.ts";

/** The language that help is written in. */
export interface HelpLanguage {
  readonly name: Language;
  /** A text of the help by its English; one that nobody has translated yet stays English. */
  translate(text: string): string;
}

export async function helpLanguage(name: Language): Promise<HelpLanguage> {
  if (name === "en") return { name, translate: (text) => text };
  const { korean } = await import("./korean.ts");
  return { name, translate: (text) => korean.get(text) ?? text };
}
