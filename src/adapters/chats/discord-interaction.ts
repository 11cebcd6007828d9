import * as z from "zod";
import type { Language } from "../../platform/language.ts";
import { discordText } from "../../platform/markup/discord.ts";
import type { Heard, Told } from "./chat.ts";
import { textsOf } from "./texts.ts";
import { written, writtenPlain } from "./written.ts";

/** Something that happened, and what is needed to answer it. */
export interface DiscordHeard {
  readonly heard: Heard;
  /** The right to answer, for 15 minutes. */
  readonly application: string;
  readonly token: string;
  readonly language: Language;
  /** What the message says whose button was pressed. */
  readonly under?: string;
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

/** Reads an interaction: Discord asks whether we are there, or somebody did something. */
export function readInteraction(given: unknown): "ping" | DiscordHeard | undefined {
  const { data } = shape.safeParse(given);
  if (data === undefined) return undefined;
  return data.type === 1 ? "ping" : heardIn(data);
}

function heardIn(told: Interaction): DiscordHeard | undefined {
  const who = told.member?.user ?? told.user;
  if (who === undefined || who.bot === true) return undefined;
  const language: Language = told.locale.startsWith("ko") ? "ko" : "en";
  const sender = { id: who.id, name: who.global_name ?? who.username, language };
  const heard = { channel: "discord", id: told.id, sender, place: told.channel_id };
  const right = { application: told.application_id, token: told.token, language };
  if (told.type === 3) {
    const { id: message, content: under } = told.message;
    return {
      heard: { ...heard, what: { pressed: told.data.custom_id, message } },
      ...right,
      under,
    };
  }
  const { name, options } = told.data;
  const words = options.map(({ value }) => String(value));
  return { heard: { ...heard, what: { said: [`/${name}`, ...words].join(" ") } }, ...right };
}

/** What Discord is sent: the answer to the request itself, and what follows it. */
export interface DiscordAnswer {
  readonly first: { readonly type: number; readonly data?: object };
  readonly more: readonly object[];
}

const charsMax = 2_000;
/** Of answers: a message, a message later, nothing, and the message is changed. */
const [message, later, nothing, change] = [4, 5, 6, 7];
/** Of messages: only the one who asked sees it; no address is looked up. */
const [privately, withoutPreviews] = [1 << 6, 1 << 2];

/** An answer that cannot wait for what is heard. */
export function discordLater({ under }: DiscordHeard): DiscordAnswer["first"] {
  return { type: under === undefined ? later : nothing };
}

/** Discord must be answered: who is not known is told so, where nobody else sees it. */
export function discordAnswer({ under, language }: DiscordHeard, told: Told): DiscordAnswer {
  const { text, mark, toast } = told;
  const [first, ...more] = written(text ?? "", charsMax, discordText).map((part) =>
    content(part.text),
  );
  if (under !== undefined && mark !== undefined) return shown(under, mark);
  if (first !== undefined) return { first: { type: message, data: first }, more };
  if (under !== undefined && toast === undefined) return { first: { type: nothing }, more: [] };
  const line = toast ?? textsOf(language).notKnown;
  const data = content(writtenPlain(line, discordText), privately);
  return { first: { type: message, data }, more: [] };
}

/** The message as it was, its new state under it or, without room, beside it, and no buttons. */
function shown(under: string, mark: string): DiscordAnswer {
  const state = writtenPlain(mark, discordText);
  const whole = `${under}\n\n${state}`;
  const hasRoom = whole.length <= charsMax;
  const quiet = { allowed_mentions: { parse: [] } };
  const data = { ...(hasRoom ? { content: whole } : {}), ...quiet, components: [] };
  return { first: { type: change, data }, more: hasRoom ? [] : [content(state, privately)] };
}

function content(text: string, flags = 0): object {
  return {
    content: text,
    allowed_mentions: { parse: [] },
    flags: withoutPreviews | flags,
  };
}
