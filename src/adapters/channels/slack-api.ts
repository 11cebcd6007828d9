import type * as Package from "@slack/web-api";
import { DaybookError, messageOf, toErrorData } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import type { WebFetch } from "../../platform/web-fetch.ts";
import { type ChatFault, chatFetch, loadClient } from "./chat-client.ts";
import type { TextFile } from "./text-file.ts";

/** A text in mrkdwn, and the blocks that Slack shows instead. */
interface SlackContent {
  readonly text: string;
  readonly blocks?: readonly object[];
}

/** A text, and where it is sent. */
interface SlackPost extends SlackContent {
  readonly channel: string;
  readonly thread_ts?: string | undefined;
}

/** An uploaded file, and where it is shown. */
interface SlackShare {
  /** Its id. */
  readonly file: string;
  /** A channel's own id: a person's does not do. */
  readonly channel: string;
  readonly thread_ts?: string | undefined;
  /** The text above the file. */
  readonly comment: string;
}

export interface SlackMessageRef {
  readonly channel: string;
  readonly ts: string;
}

/**
 * The methods of the Web API that are used here, with its own parameters. A failure throws `refused`
 * or `unavailable`, with `ChatFault` as its details. Slack refuses with status 200 and a code, such
 * as `channel_not_found`.
 */
export interface SlackApi {
  authTest(signal?: AbortSignal): Promise<{ user_id: string; team_id: string }>;
  /** Answers the direct channel when the request names a person. */
  post(
    given: SlackPost & { readonly unfurl_links?: boolean; readonly unfurl_media?: boolean },
    signal?: AbortSignal,
  ): Promise<SlackMessageRef>;
  update(given: SlackContent & SlackMessageRef, signal?: AbortSignal): Promise<SlackMessageRef>;
  /** Only this person sees it. */
  postEphemeral(given: SlackPost & { readonly user: string }, signal?: AbortSignal): Promise<void>;
  /** Uploads a file that nobody sees yet, and answers its id. */
  upload(file: TextFile, signal?: AbortSignal): Promise<string>;
  /** Shows an uploaded file. Slack answers before the message is there, so that it has no time yet. */
  share(given: SlackShare, signal?: AbortSignal): Promise<void>;
}

/** The official one. */
export const slackApiUrl = "https://slack.com/api/";

const descriptionCharsMax = 300;
/** For a 429 without a time. */
const restSeconds = 30;

/** The Web API over Slack's own client, without its retries and logs. */
export function slackApi({
  token,
  apiUrl = slackApiUrl,
  load = () => import("@slack/web-api"),
  ...options
}: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly fetch: SafeFetch;
  readonly load?: () => Promise<typeof Package>;
}): SlackApi {
  const fetching = (signal?: AbortSignal): WebFetch =>
    withRetryAfter(chatFetch(options.fetch, { secrets: [token], signal }));
  const call = async (method: string, given: object, signal?: AbortSignal): Promise<object> => {
    const slack = await loadClient("Slack", "@slack/web-api", load);
    // A client for each call: only its fetch can take a signal.
    const client = new slack.WebClient(token, {
      slackApiUrl: apiUrl,
      fetch: fetching(signal),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: silentLogger(),
    });
    try {
      return await client.apiCall(method, { ...given });
    } catch (error) {
      throw faultOf(error, slack, token);
    }
  };
  const send = async (method: string, given: object, signal?: AbortSignal) =>
    messageIn(await call(method, given, signal));
  return {
    async authTest(signal) {
      const answer: { user_id?: string; team_id?: string } = await call("auth.test", {}, signal);
      return { user_id: answer.user_id ?? "", team_id: answer.team_id ?? "" };
    },
    post: (given, signal) => send("chat.postMessage", given, signal),
    update: (given, signal) => send("chat.update", given, signal),
    async postEphemeral(given, signal) {
      await call("chat.postEphemeral", given, signal);
    },
    async upload({ name: filename, content }, signal) {
      const length = Buffer.byteLength(content);
      const ticket = await call("files.getUploadURLExternal", { filename, length }, signal);
      const { upload_url: url, file_id: id } = ticket as {
        upload_url?: unknown;
        file_id?: unknown;
      };
      if (typeof url !== "string" || typeof id !== "string") throw withoutFact("an upload URL");
      await uploadTo(url, content, fetching(signal));
      return id;
    },
    async share({ file, channel, thread_ts, comment: initial_comment }, signal) {
      const given = { files: [{ id: file }], channel_id: channel, thread_ts, initial_comment };
      await call("files.completeUploadExternal", given, signal);
    },
  };
}

/** The URL is a ticket of its own: the token is not sent there. */
async function uploadTo(url: string, content: string, post: WebFetch): Promise<void> {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  const answer = await post(url, { headers, body: content });
  if (answer.ok) return;
  const description = oneLine(await answer.text(), descriptionCharsMax);
  const seconds = Number(answer.headers.get("retry-after") ?? restSeconds);
  const afterMs = answer.status === 429 ? seconds * 1_000 : undefined;
  throw answered({ status: answer.status, description, afterMs });
}

function messageIn(answer: object): SlackMessageRef {
  const { channel, ts } = answer as Partial<Record<keyof SlackMessageRef, unknown>>;
  if (typeof channel === "string" && typeof ts === "string") return { channel, ts };
  throw withoutFact("a channel and a time");
}

function withoutFact(what: string): DaybookError {
  const sentence = `Slack answered without ${what}: check DAYBOOK_SLACK_API.`;
  return new DaybookError("unavailable", sentence, { details: { sent: true } });
}

/** Its client does not recognise a 429 without a time. */
function withRetryAfter(fetch: WebFetch): WebFetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const isReadable = /^\d{1,9}$/.test(answer.headers.get("retry-after") ?? "");
    if (answer.status === 429 && !isReadable) answer.headers.set("retry-after", `${restSeconds}`);
    return answer;
  };
}

function faultOf(error: unknown, slack: typeof Package, token: string): DaybookError {
  if (error instanceof slack.WebAPIRateLimitedError) {
    return answered({ status: 429, description: "ratelimited", afterMs: error.retryAfter * 1_000 });
  }
  if (error instanceof slack.WebAPIHTTPError) {
    const description = oneLine(redact(String(error.body ?? ""), [token]), descriptionCharsMax);
    return answered({ status: error.statusCode, description });
  }
  if (error instanceof slack.WebAPIPlatformError) {
    // A proxy's answer may have none.
    const { error: description } = error.data as { error?: unknown };
    return answered({
      status: 200,
      description: oneLine(redact(String(description), [token]), descriptionCharsMax),
    });
  }
  const cause = error instanceof slack.WebAPIRequestError ? error.original : error;
  const sent = toErrorData(cause).details["sent"] !== false;
  const code = cause instanceof DaybookError ? cause.code : "unavailable";
  return new DaybookError(code, redact(messageOf(cause), [token]), { details: { sent } });
}

function answered(fault: Omit<ChatFault, "sent">): DaybookError {
  const { status = 0, description } = fault;
  const code = status === 429 || status >= 500 ? "unavailable" : "refused";
  const message = `Slack answered ${status}: ${description || "nothing"}`;
  return new DaybookError(code, message, { details: { ...fault, sent: true } });
}

/** Errors are thrown; the client logs nothing. */
export function silentLogger(): Package.Logger {
  const nothing = (): void => undefined;
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    setName: nothing,
    getLevel: () => "error" as Package.LogLevel, // an enum of a package that is not loaded yet
  };
}
