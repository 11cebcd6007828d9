import type { Reader } from "../../kernel/operation.ts";
import { inLanguages } from "../../platform/language.ts";
import { commonEn } from "./common-en.ts";
import { commonKo } from "./common-ko.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

/** The texts that several features use. */
export const commonTexts = inLanguages({ en: commonEn, ko: commonKo });
export const textsOf = inLanguages({ en: { ...commonEn, ...en }, ko: { ...commonKo, ...ko } });

/** The line of a list with the cursor of its next page. */
export function moreLine(next: string, { language }: Reader): string {
  return commonTexts(language).more(next);
}
