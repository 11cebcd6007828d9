import { inLanguages } from "../../platform/language.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

export const textsOf = inLanguages({ en, ko });
