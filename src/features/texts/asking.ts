import { parseTarget } from "../../kernel/target.ts";
import type { Language } from "../../platform/language.ts";

/** Something that a person is to answer. */
export interface Asking {
  readonly question: string;
  readonly choices: readonly string[];
  readonly id: string;
  /** Where it is said. */
  readonly target: string;
}

/** There a reply is an answer. */
const chats: readonly string[] = ["telegram", "slack", "discord"];

/** The question, what may be answered, and how. */
export function askingIn(language: Language, { question, choices, id, target }: Asking): string {
  const offered = choices.length === 0 ? "" : `\n(${choices.join(" / ")})`;
  const isChat = chats.includes(parseTarget(target).channel);
  const command = `daybook answer ${id} ${choices[0] ?? "…"}`;
  return `${question}${offered}\n${how[language][isChat ? "chat" : "elsewhere"](command)}`;
}

type How = Readonly<Record<"chat" | "elsewhere", (command: string) => string>>;

const how: Readonly<Record<Language, How>> = {
  en: {
    chat: (command) => `Reply here, or in a terminal: ${command}`,
    elsewhere: (command) => `To answer: ${command}`,
  },
  ko: {
    chat: (command) => `여기에 답장하거나 터미널에서: ${command}`,
    elsewhere: (command) => `답하기: ${command}`,
  },
};
