export type Language = "en" | "ko";

/** Texts by the reader's language. */
export function inLanguages<T>(texts: Readonly<Record<Language, T>>): (language: Language) => T {
  return (language) => texts[language];
}
