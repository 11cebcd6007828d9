import { discordText } from "../../platform/markup/discord.ts";
import type { Told } from "./chat.ts";
import type { DiscordHeard } from "./discord-interaction.ts";
import { textsOf } from "./texts.ts";
import { written, writtenPlain } from "./written.ts";

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
