import { inLanguages } from "../../platform/language.ts";
import { commonEn, commonKo } from "../accounts/index.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

export const textsOf = inLanguages({ en: { ...commonEn, ...en }, ko: { ...commonKo, ...ko } });
