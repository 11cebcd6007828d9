import { texts as textsOf } from "../../kernel/texts.ts";
import { en } from "./en.ts";

export const texts = textsOf(en, { ko: async () => (await import("./ko.ts")).ko });
