import type * as Grammy from "grammy";
import { DaybookError, messageOf, toErrorData } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import type { WebFetch } from "../../platform/web-fetch.ts";
import { type ChatFault, chatFetch, loadClient } from "./chat-client.ts";
import { type FileForm, fileForm } from "./file-form.ts";

const methods = [
  "getMe",
  "getUpdates",
  "setWebhook",
  "deleteWebhook",
  "setMyCommands",
  "sendMessage",
  "editMessageText",
  "editMessageReplyMarkup",
  "answerCallbackQuery",
] as const;

type Raw = Grammy.RawApi;
type Method = (typeof methods)[number];

/**
 * The methods of the Bot API that are used here, with its own parameters. A failure throws `refused`
 * or `unavailable`, with `TelegramFault` as its details.
 */
export type TelegramApi = {
  readonly [Name in Method]: (
    given: Name extends "getMe" ? Record<string, never> : Form<Parameters<Raw[Name]>[0]>,
    signal?: AbortSignal,
  ) => Promise<Awaited<ReturnType<Raw[Name]>>>;
} & {
  /** With the fields of the Bot API as texts. */
  sendDocument(given: FileForm, signal?: AbortSignal): Promise<{ message_id: number }>;
};

/** An optional parameter may be `undefined`: it is not sent then. */
type Form<T> = { [Name in keyof T]: T[Name] | (undefined extends T[Name] ? undefined : never) };

export interface TelegramFault extends ChatFault {
  /** The new id of the chat. */
  readonly movedTo?: number | undefined;
}

const descriptionCharsMax = 300;

/** The Bot API over grammY. Its package is loaded with the first call. */
export function telegramApi({
  token,
  apiRoot = "https://api.telegram.org",
  load = () => import("grammy"),
  ...options
}: {
  readonly token: string;
  /** Without a trailing slash. Default: the official one. */
  readonly apiRoot?: string | undefined;
  readonly fetch: SafeFetch;
  readonly load?: () => Promise<typeof Grammy>;
}): TelegramApi {
  const fetch = withBotAnswers(chatFetch(options.fetch, { secrets: [token] }));
  const loaded = async (): Promise<{ raw: Raw; grammy: typeof Grammy }> => {
    const grammy = await loadClient("Telegram", "grammy", load);
    // Its types are node-fetch's; it uses only what ours has.
    const client = { fetch: fetch as unknown as NonNullable<Grammy.ApiClientOptions["fetch"]> };
    return { raw: new grammy.Api(token, { ...client, apiRoot }).raw, grammy };
  };
  let client: ReturnType<typeof loaded> | undefined;
  const call =
    (method: Method) =>
    async (given: object, signal?: AbortSignal): Promise<unknown> => {
      client ??= loaded();
      const { raw, grammy } = await client.catch((error: unknown) => {
        client = undefined;
        throw error;
      });
      try {
        const ask = raw[method] as (given: object, signal?: AbortSignal) => Promise<unknown>;
        // A method without parameters takes its signal first.
        return await (method === "getMe" ? raw.getMe(signal as never) : ask(given, signal));
      } catch (error) {
        throw faultOf(error, grammy, token);
      }
    };
  const sendDocument: TelegramApi["sendDocument"] = (form, signal) =>
    uploadWith(options.fetch, { url: `${apiRoot}/bot${token}/sendDocument`, token }, form, signal);
  const calls = Object.fromEntries(methods.map((method) => [method, call(method)]));
  return { ...calls, sendDocument } as TelegramApi;
}

/** The client sends files as streams, which the safe fetch does not take. */
async function uploadWith(
  fetch: SafeFetch,
  { url, token }: { url: string; token: string },
  form: FileForm,
  signal: AbortSignal | undefined,
): Promise<{ message_id: number }> {
  const { headers, body } = fileForm(form);
  const answer = await fetch({ url, method: "POST", headers, body, signal });
  const text = redact(new TextDecoder().decode(answer.body), [token]);
  const read = botAnswer(text, answer.status) as Record<string, unknown>;
  const { ok, result, error_code: status, parameters } = read;
  const description = typeof read["description"] === "string" ? read["description"] : "";
  const { message_id: id } = (result ?? {}) as { message_id?: unknown };
  if (ok === true && typeof id === "number") return { message_id: id };
  const { retry_after: seconds, migrate_to_chat_id: movedTo } = (parameters ?? {}) as {
    retry_after?: number;
    migrate_to_chat_id?: number;
  };
  const details: TelegramFault = present({
    sent: true,
    status: Number(status ?? answer.status),
    description: oneLine(description, descriptionCharsMax),
    afterMs: typeof seconds === "number" ? seconds * 1_000 : undefined,
    movedTo,
  });
  const message = `Telegram answered ${details.status}: ${details.description}`;
  throw new DaybookError("refused", message, { details: { ...details } });
}

/** Turns a proxy's answer into a refusal of the Bot API with the same status. */
function withBotAnswers(fetch: WebFetch): WebFetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const text = await answer.text();
    return { ...answer, json: async () => botAnswer(text, answer.status) };
  };
}

function botAnswer(text: string, status: number): unknown {
  try {
    const answer = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const { ok, result, error_code: code, description } = answer ?? {};
    if (ok === true && result !== undefined) return answer;
    if (ok === false && typeof code === "number" && typeof description === "string") return answer;
  } catch {
    // Not JSON: answered below.
  }
  return { ok: false, error_code: status, description: oneLine(text, descriptionCharsMax) };
}

function faultOf(error: unknown, grammy: typeof Grammy, token: string): DaybookError {
  if (!(error instanceof grammy.GrammyError)) {
    const cause = error instanceof grammy.HttpError ? error.error : error;
    const sent = toErrorData(cause).details["sent"] !== false;
    const { code, message } = cause instanceof DaybookError ? cause : notSent(cause);
    return new DaybookError(code, redact(message, [token]), { details: { sent } });
  }
  const { error_code: status, parameters } = error;
  const description = oneLine(redact(error.description, [token]), descriptionCharsMax);
  const { retry_after: seconds, migrate_to_chat_id: movedTo } = parameters;
  const details: TelegramFault = {
    sent: true,
    status,
    description,
    afterMs: typeof seconds === "number" ? seconds * 1_000 : undefined,
    movedTo: typeof movedTo === "number" ? movedTo : undefined,
  };
  const code = status >= 400 && status < 500 && status !== 429 ? "refused" : "unavailable";
  const message = `Telegram answered ${status}: ${description || "nothing"}`;
  return new DaybookError(code, message, { details: { ...details } });
}

function notSent(cause: unknown): { code: "unavailable"; message: string } {
  return { code: "unavailable", message: `Telegram could not be reached: ${messageOf(cause)}` };
}
