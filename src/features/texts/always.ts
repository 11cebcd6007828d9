import type { Language } from "../../platform/language.ts";
import { alwaysEnglish } from "./always-en.ts";
import { alwaysKorean } from "./always-ko.ts";
import type { AlwaysTexts } from "./always-shape.ts";

export function alwaysIn(language: Language): AlwaysTexts {
  return language === "ko" ? alwaysKorean : alwaysEnglish;
}
