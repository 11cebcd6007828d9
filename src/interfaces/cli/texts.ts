import type { Language } from "../../platform/language.ts";
import { en } from "./texts-en.ts";
import { ko } from "./texts-ko.ts";
import type { Texts } from "./texts-shape.ts";

export function textsOf(language: Language): Texts {
  return { en, ko }[language];
}
