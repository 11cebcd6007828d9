import { inLanguages } from "../../platform/language.ts";
import { commonEn } from "../accounts/common-en.ts";
import { commonKo } from "../accounts/common-ko.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

export const textsOf = inLanguages({ en: { ...commonEn, ...en }, ko: { ...commonKo, ...ko } });
