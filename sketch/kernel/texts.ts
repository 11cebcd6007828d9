export const languages = ["en", "ko"] as const;
export type Language = (typeof languages)[number];

/** A feature's texts. English is there; another language is loaded when somebody reads it. */
export interface Texts<T = unknown> {
  load(language: Language): Promise<T>;
}

/** `type Texts = typeof en`; every other language has the same type. */
export function texts<T>(
  en: T,
  others: Readonly<Record<Exclude<Language, "en">, () => Promise<T>>>,
): Texts<T> {
  return { load: async (language) => (language === "en" ? en : others[language]()) };
}
