import type { Language } from "../../platform/language.ts";
import { type CommandName, commandNames } from "./command-line.ts";
import { en, type Texts } from "./texts-en.ts";
import { ko } from "./texts-ko.ts";

export function textsOf(language: Language): Texts {
  return { en, ko }[language];
}

/** The commands as a menu shows them. */
export function menuOf(texts: Texts): readonly { command: CommandName; description: string }[] {
  return commandNames.map((command) => ({ command, description: texts.commands[command] }));
}
