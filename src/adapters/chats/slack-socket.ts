import type * as Package from "@slack/socket-mode";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { redact } from "../../platform/redact.ts";
import { chatFetch, loadClient } from "../channels/chat-client.ts";
import { silentLogger, slackApiUrl } from "../channels/slack-api.ts";

/**
 * Receives Slack's events over one connection; resolves when it has ended. Slack repeats an event
 * if `on` does not resolve in time.
 */
export type SlackListen = (
  on: (payload: unknown) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

/** Socket Mode over Slack's own client. */
export function slackSocket({
  appToken,
  apiUrl = slackApiUrl,
  load = () => import("@slack/socket-mode"),
  ...options
}: {
  /** Of the app: `xapp-…`. */
  readonly appToken: string;
  readonly apiUrl?: string | undefined;
  readonly fetch: SafeFetch;
  readonly load?: () => Promise<typeof Package>;
}): SlackListen {
  return async (on, signal) => {
    const { SocketModeClient } = await loadClient("Slack", "@slack/socket-mode", load);
    if (signal.aborted) return;
    const client = new SocketModeClient({
      appToken,
      // Errors of its own reconnects could not be caught.
      autoReconnectEnabled: false,
      logger: silentLogger(),
      clientOptions: {
        slackApiUrl: apiUrl,
        fetch: chatFetch(options.fetch, { secrets: [appToken], signal }),
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    });
    const ended = new Promise<void>((resolve) => client.once("disconnected", () => resolve()));
    client.on("slack_event", ({ body, ack }: { body?: unknown; ack: () => Promise<void> }) => {
      // After a lost acknowledgement Slack repeats the event.
      on(body)
        .then(ack)
        .catch(() => undefined);
    });
    const leave = (): void => void client.disconnect().catch(() => undefined);
    signal.addEventListener("abort", leave, { once: true });
    try {
      await client.start();
      await ended;
    } catch (error) {
      throw faultOf(error, appToken);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };
}

function faultOf(error: unknown, token: string): DaybookError {
  const why = error === undefined ? "the connection was closed" : messageOf(error);
  const sentence = `Slack's events cannot be received: ${redact(why, [token])}. Check the app's token and the network.`;
  return new DaybookError("unavailable", sentence, { details: { sent: false } });
}
