import type { Language } from "../../platform/language.ts";
import { english } from "./en.ts";
import { korean } from "./ko.ts";
import type { Texts } from "./shape.ts";

export function textsOf(language: Language): Texts {
  return language === "ko" ? korean : english;
}
