import { createHash } from "node:crypto";
import { discordAddress } from "../../features/accounts/index.ts";
import type { Channel, Mark, Sent } from "../../features/notifications/index.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { discordText } from "../../platform/markup/discord.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { version } from "../../platform/version.ts";
import { buttonsFor, missingMessage, lastMessage, markedPart, shownOn } from "./buttons.ts";
import { fileForm } from "./file-form.ts";
import { richPieces, sendInParts, type Part } from "./parts.ts";
import { idIn, type HttpAnswer, type PostRequest, type ReadContext, post } from "./post.ts";
import { withinMessages } from "./within-messages.ts";

export const discordApi = "https://discord.com/api/v10";
/** Discord requires this form of a user agent. */
export const discordAgent = `DiscordBot (daybook, ${version})`;

const charsMax = 2_000;
/** Flags of a message: no sound; no link previews. */
const [silent, withoutPreviews] = [1 << 12, 1 << 2];
/** Types of a component, and the style of a grey button. */
const [row, button, grey] = [1, 2, 2];

const advice = {
  401: "the bot's token is wrong: set DAYBOOK_DISCORD_TOKEN to the application's bot token",
  403: "the bot may not write there: invite it, and allow it to send messages",
  404: "the channel does not exist, or the bot is not in it: check the id, and invite the bot",
};

/** Sends messages to `discord:{channel}`, which may be a thread. */
export function discord({
  token,
  now,
  apiUrl = discordApi,
  messagesMax,
  ...options
}: Pick<PostRequest, "fetch" | "now"> & {
  token: string;
  /** Without a trailing slash. Default: the official one. */
  apiUrl?: string | undefined;
  /** The most messages of one text. */
  messagesMax?: number | undefined;
}): Channel {
  const fetch = withRetryAfter(options.fetch);
  const headers = { authorization: `Bot ${token}`, "user-agent": discordAgent };
  const request = { fetch, headers, now, secrets: [token], advice };
  return {
    name: "discord",
    readAddress: discordAddress,
    takesLong: true,
    send: sendInParts({
      split: withinMessages(richPieces(charsMax, discordText), {
        charsMax,
        messagesMax,
      }),
      read: discordAddress,
      sendPart(part, { channel }, signal) {
        const url = `${apiUrl}/channels/${channel}/messages`;
        return post({ ...request, ...formOf(part, request.headers), url, signal }, accepted);
      },
      receiptOf: ({ channel }, messages) => ({ channel, messages }),
    }),
    mark(mark, { signal }) {
      const { chat, message } = lastMessage(mark.receipt);
      const url = `${apiUrl}/channels/${encodeURIComponent(chat)}/messages/${encodeURIComponent(message)}`;
      const body = JSON.stringify(markedBody(mark));
      const edited = (answer: HttpAnswer, context: ReadContext): Sent => {
        const sent = accepted(answer, context);
        return sent.result === "delivered" ? shownOn(message) : sent;
      };
      const edit = { ...request, method: "PATCH", url, body, signal, refused: missing } as const;
      return post(edit, edited);
    },
  };
}

function formOf(
  part: Part,
  before: Readonly<Record<string, string>>,
): Pick<PostRequest, "headers" | "body"> {
  const body = JSON.stringify(bodyOf(part));
  const { file } = part;
  if (file === undefined) return { headers: before, body };
  const form = fileForm({ fields: { payload_json: body }, name: "files[0]", file });
  return { headers: { ...before, ...form.headers }, body: form.body };
}

function bodyOf(part: Part): object {
  const buttons = part.part === part.of ? buttonsFor(part.fullMessage) : [];
  const components = buttons.map(({ label, data }) => ({
    type: button,
    style: grey,
    label,
    custom_id: data,
  }));
  return {
    content: part.text,
    allowed_mentions: { parse: [] },
    flags: withoutPreviews | (part.priority === "low" ? silent : 0),
    // For some minutes Discord drops a second message with this nonce; an edit has another one.
    nonce: createHash("sha256").update(`${part.id} ${part.text}`).digest("base64url").slice(0, 22),
    enforce_nonce: true,
    components: components.length === 0 ? undefined : [{ type: row, components }],
  };
}

function markedBody(mark: Mark): object {
  const { text: content } = markedPart(mark, { sizeMax: charsMax, write: discordText });
  return { content, allowed_mentions: { parse: [] }, components: [] };
}

/** Discord's codes: the message is deleted, or not the bot's. */
const missingCodes: readonly unknown[] = [10_008, 50_005];

function missing({ status, body }: HttpAnswer, { secrets }: ReadContext): Sent | undefined {
  if (status !== 404 && status !== 403) return undefined;
  const { code, message } = (parsed(body) ?? {}) as { code?: unknown; message?: unknown };
  return missingCodes.includes(code)
    ? missingMessage(oneLine(redact(String(message), secrets), 200))
    : undefined;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/** The exact wait of a 429 is in the body; the header may be missing. */
function withRetryAfter(fetch: SafeFetch): SafeFetch {
  return async (request) => {
    const answer = await fetch(request);
    if (answer.status !== 429) return answer;
    const seconds = secondsIn(answer.body);
    if (seconds === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, "retry-after": `${Math.ceil(seconds)}` } };
  };
}

function secondsIn(body: Buffer): number | undefined {
  const { retry_after: seconds } = (parsed(body) ?? {}) as { retry_after?: unknown };
  return typeof seconds === "number" && seconds >= 0 && seconds < 1e9 ? seconds : undefined;
}

/** A success without an id is not Discord's. */
function accepted(answer: HttpAnswer, context: ReadContext): Sent {
  const id = idIn(answer, context);
  if (id !== undefined) return { result: "delivered", receipt: id };
  const reason = `the answer ${answer.status} is not from Discord: check the API's address`;
  return { result: "unknown", reason };
}
