import type { Channel, Message, RecordChange, Sent } from "../../features/notifications/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { signedHeaders } from "../../platform/signature.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { idIn, type HttpAnswer, type PostRequest, type ReadContext, post } from "./post.ts";

/** The address of a webhook, and the secret that signs its requests. */
export interface WebhookTarget {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

/**
 * Posts to `webhook:{id}` by Standard Webhooks. `webhook-id` is the message's id on every attempt:
 * a receiver that remembers it takes a message once.
 */
export function webhook({
  fetch,
  find,
  now,
}: Pick<PostRequest, "fetch" | "now"> & {
  /** The owner's webhook of that id. */
  find(owner: string, id: string): Promise<WebhookTarget | undefined>;
}): Channel {
  const postTo = (hook: WebhookTarget, message: Message, signal: AbortSignal): Promise<Sent> => {
    const { url, secret } = hook;
    const body = bodyOf(message);
    const headers = signedHeaders(secret, { id: message.id, body, now: now() });
    if (headers === undefined)
      return rejected("the webhook's secret cannot be read: create a new webhook");
    const secrets = [secret.replace("whsec_", "")];
    return post({ fetch, url, headers, body, signal, now, secrets }, accepted);
  };
  return {
    name: "webhook",
    async send(message, { signal }) {
      const found = await lookUp(() => find(message.owner, message.address));
      if (found === undefined) {
        const which = `this owner has no webhook ${quote(message.address)}`;
        return rejected(`${which}: create one, or choose another target`);
      }
      return "result" in found ? found : postTo(found, message, signal);
    },
  };
}

async function lookUp(
  find: () => Promise<WebhookTarget | undefined>,
): Promise<WebhookTarget | Sent | undefined> {
  try {
    return await find();
  } catch (error) {
    return {
      result: "retry",
      reason: `the webhook could not be looked up: ${oneLine(messageOf(error), 500)}`,
    };
  }
}

/** The same on every attempt but for `maybe_repeat`. */
function bodyOf(message: Message): string {
  const { id, text, type, priority, owner, maybeRepeat, change } = message;
  if (change !== undefined) return changeBody(change, maybeRepeat);
  const at = new Date(message.at).toISOString();
  const data = { id, message: text, at, type, priority, owner, maybe_repeat: maybeRepeat };
  return JSON.stringify({ type: "notification", timestamp: at, data });
}

function changeBody(change: RecordChange, maybeRepeat: boolean): string {
  const at = new Date(change.at).toISOString();
  const data = { ...change, at, maybe_repeat: maybeRepeat };
  return JSON.stringify({ type: "daybook.change", timestamp: at, data });
}

function accepted(answer: HttpAnswer, context: ReadContext): Sent {
  const receipt = present({ status: answer.status, id: idIn(answer, context) });
  return { result: "delivered", receipt };
}

function rejected(reason: string): Promise<Sent> {
  return Promise.resolve({ result: "rejected", reason });
}
