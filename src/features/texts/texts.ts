import type { Language } from "../../time/times.ts";
import { english } from "./en.ts";
import { korean } from "./ko.ts";
import type { Texts } from "./shape.ts";

export function textsOf(language: Language): Texts {
  return language === "ko" ? korean : english;
}
