import { ntfyTopic } from "../../features/accounts/index.ts";
import type { Channel, Message, Sent } from "../../features/notifications/index.ts";
import type { Priority } from "../../kernel/record.ts";
import { messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { harmless } from "../../platform/text.ts";
import { inParts, plainPieces, type Part } from "./parts.ts";
import { idIn, type HttpAnswer, type PostRequest, type ReadContext, post } from "./post.ts";

/** A button under a message. */
export interface NtfyAction {
  readonly action: "view" | "http";
  readonly label: string;
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  /** Removes the message after the action. */
  readonly clear?: boolean;
}

interface NtfyOptions extends Pick<PostRequest, "fetch" | "now"> {
  /** `https://ntfy.sh`, or another server. */
  server: string;
  token?: string | undefined;
  /** The buttons of a message; ntfy shows three at most. */
  actions?(message: Message): readonly NtfyAction[];
}

/**
 * A server takes 4,096 bytes of text, in a request of twice as many. The size is the text's as JSON,
 * so that quotes and line ends cannot make the request too long.
 */
const bytesMax = 4_000;
const size = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

const priorities: Record<Priority, number> = { low: 2, normal: 3, high: 5 };
const actionsMax = 3;
const toDo = "give the channel a token with write access to the topic";
const advice = { 401: toDo, 403: toDo };

/** Publishes to `ntfy:{topic}`. */
export function ntfy(options: NtfyOptions): Channel {
  const { fetch, now, server, token } = options;
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  const headers = present({ authorization });
  const secrets = token === undefined ? [] : [token];
  const request = { fetch, url: server, headers, now, secrets, advice };
  const publish = (part: Part, signal: AbortSignal): Promise<Sent> =>
    post({ ...request, body: JSON.stringify(bodyOf(part, options)), signal }, accepted);
  const send = inParts(plainPieces({ sizeMax: bytesMax, size }), publish);
  return {
    name: "ntfy",
    readAddress: ntfyTopic,
    async send(message, attempt) {
      try {
        ntfyTopic(message.address);
      } catch (error) {
        return { result: "rejected", reason: messageOf(error) };
      }
      return send({ ...message, text: harmless(message.text) }, attempt);
    },
  };
}

function bodyOf(part: Part, { actions }: NtfyOptions): object {
  const buttons =
    part.part === part.of ? (actions?.(part.fullMessage) ?? []).slice(0, actionsMax) : [];
  return {
    topic: part.address,
    message: part.text,
    priority: priorities[part.priority],
    // On a phone, a repeat with the same id replaces the first.
    sequence_id: part.id.replaceAll(/[^-_A-Za-z0-9]/g, "-").slice(-64),
    title: part.of === 1 ? undefined : `${part.part} / ${part.of}`,
    tags: part.maybeRepeat ? ["repeat"] : undefined,
    actions: buttons.length === 0 ? undefined : buttons,
  };
}

/** A success without an id is not ntfy's. */
function accepted(answer: HttpAnswer, context: ReadContext): Sent {
  const id = idIn(answer, context);
  if (id !== undefined) return { result: "delivered", receipt: { id } };
  const reason = `the receiver answered ${answer.status} without an id: check that it is an ntfy server`;
  return { result: "unknown", reason };
}
