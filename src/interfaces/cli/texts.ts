import type { Language } from "../../platform/language.ts";
import { en, type Texts } from "./texts-en.ts";
import { ko } from "./texts-ko.ts";

export function textsOf(language: Language): Texts {
  return { en, ko }[language];
}
