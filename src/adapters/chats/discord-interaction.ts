import * as z from "zod";
import type { ChatAnswer } from "../../kernel/chat.ts";
import type { Language } from "../../platform/language.ts";
import { discordText } from "../../platform/markup/discord.ts";
import { markdownPieces } from "../channels/parts.ts";
import type { ChatInput } from "./chat.ts";
import { textsOf } from "./texts.ts";

/** An input, and what is needed to answer it. */
export interface DiscordInput {
  readonly input: ChatInput;
  /** The right to answer, for 15 minutes. */
  readonly application: string;
  readonly token: string;
  readonly language: Language;
  /** The text of the message whose button was pressed. */
  readonly messageText?: string;
}

const user = z.object({
  id: z.string().min(1),
  username: z.string().default(""),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});
const about = {
  id: z.string().min(1),
  application_id: z.string().regex(/^\d+$/),
  token: z.string().regex(/^[\w.-]+$/),
  channel_id: z.string().regex(/^\d+$/),
  member: z.object({ user }).optional(),
  user: user.optional(),
  locale: z.string().default("en-US"),
};
const shape = z.discriminatedUnion("type", [
  z.object({ type: z.literal(1) }),
  z.object({
    ...about,
    type: z.literal(2),
    data: z.object({
      name: z.string(),
      options: z.array(z.object({ name: z.string(), value: z.unknown() })).default([]),
    }),
  }),
  z.object({
    ...about,
    type: z.literal(3),
    data: z.object({ custom_id: z.string() }),
    message: z.object({ id: z.string(), content: z.string().default("") }),
  }),
]);
type Interaction = Exclude<z.infer<typeof shape>, { type: 1 }>;

/** Reads an interaction: a ping of Discord's, a command or a pressed button. */
export function readInteraction(given: unknown): "ping" | DiscordInput | undefined {
  const { data } = shape.safeParse(given);
  if (data === undefined) return undefined;
  return data.type === 1 ? "ping" : inputOf(data);
}

function inputOf(given: Interaction): DiscordInput | undefined {
  const who = given.member?.user ?? given.user;
  if (who === undefined || who.bot === true) return undefined;
  const language: Language = given.locale.startsWith("ko") ? "ko" : "en";
  const sender = { id: who.id, name: who.global_name ?? who.username, language };
  const input = { channel: "discord", id: given.id, sender, address: given.channel_id };
  const answerTo = { application: given.application_id, token: given.token, language };
  if (given.type === 3) {
    const { id: message, content: messageText } = given.message;
    const content = { pressed: given.data.custom_id, message };
    return { input: { ...input, content }, ...answerTo, messageText };
  }
  const { name, options } = given.data;
  const text = [`/${name}`, ...options.map(({ value }) => String(value))].join(" ");
  return { input: { ...input, content: { text } }, ...answerTo };
}

/** The response to the request, and the messages after it. */
export interface DiscordAnswer {
  readonly first: { readonly type: number; readonly data?: object };
  readonly more: readonly object[];
}

const charsMax = 2_000;
/** Types of a response: a message, a message later, none, an edit of the message. */
const [message, later, nothing, change] = [4, 5, 6, 7];
/** Flags of a message: only the sender of the command sees it; no link previews. */
const [privately, withoutPreviews] = [1 << 6, 1 << 2];

/** The response when the answer takes too long. */
export function discordLater({ messageText }: DiscordInput): DiscordAnswer["first"] {
  return { type: messageText === undefined ? later : nothing };
}

/** Discord requires a response: a person without a link gets a private one. */
export function discordAnswer(
  { messageText: under, language }: DiscordInput,
  { text, mark, toast }: ChatAnswer,
): DiscordAnswer {
  const [first, ...more] = markdownPieces(text ?? "", charsMax, discordText).map((part) =>
    content(part.text),
  );
  if (under !== undefined && mark !== undefined) return marked(under, mark);
  if (first !== undefined) return { first: { type: message, data: first }, more };
  if (under !== undefined && toast === undefined) return { first: { type: nothing }, more: [] };
  const line = toast ?? textsOf(language).notLinked;
  const data = content(discordText([{ text: line, marks: [] }]), privately);
  return { first: { type: message, data }, more: [] };
}

/** The message with the mark below it, or after it when it does not fit; without buttons. */
function marked(under: string, mark: string): DiscordAnswer {
  const state = discordText([{ text: mark, marks: [] }]);
  const combined = `${under}\n\n${state}`;
  const hasRoom = combined.length <= charsMax;
  const edited = hasRoom ? combined : undefined;
  const data = { content: edited, allowed_mentions: { parse: [] }, components: [] };
  return { first: { type: change, data }, more: hasRoom ? [] : [content(state, privately)] };
}

function content(text: string, flags = 0): object {
  return {
    content: text,
    allowed_mentions: { parse: [] },
    flags: withoutPreviews | flags,
  };
}
