import * as z from "zod";
import type { Language } from "../../platform/language.ts";
import type { Heard } from "./chat.ts";

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
type Told = Exclude<z.infer<typeof shape>, { type: 1 }>;

/** Reads an interaction: Discord asks whether we are there, or somebody did something. */
export function readInteraction(given: unknown): "ping" | DiscordHeard | undefined {
  const { data } = shape.safeParse(given);
  if (data === undefined) return undefined;
  return data.type === 1 ? "ping" : heardIn(data);
}

function heardIn(told: Told): DiscordHeard | undefined {
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
