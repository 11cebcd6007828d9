import type { ChatAnswer } from "../../adapters/chats/chat.ts";
import { literal, short } from "./literal.ts";
import { readTime, splitTime } from "./time-split.ts";
import type { Turn } from "./turn.ts";

/** `/nag TIME TEXT`; without a time it begins at once. */
export async function nag(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, operations, key } = turn;
  // "nag me to pay the rent tomorrow"
  const request = words.trim().replace(/^me\s+(?:to\s+)?/i, "");
  const example =
    look.language === "ko" ? "/nag 25일 오전 9시 월세 내기" : "/nag the 25th pay rent";
  if (request === "" || readTime(request, look) !== undefined) {
    return { text: texts.nagNoText(example) };
  }
  const split = splitTime(request, look);
  if (!("when" in split) && split.why !== undefined) {
    return { text: [literal(split.why, 400), texts.noTime(example)].join("\n") };
  }
  const input = "when" in split ? { message: split.text, at: split.when } : { message: request };
  const made = await turn.ask(operations.nag, { ...input, key });
  if (made.title === undefined) return { text: texts.forgotten(short(made.id)) };
  const when = made.next?.text ?? "";
  const about = {
    when: literal(when),
    text: literal(made.title),
    curve: literal(made.curve ?? ""),
  };
  return { text: texts.nagged({ ...about, id: short(made.id) }) };
}
