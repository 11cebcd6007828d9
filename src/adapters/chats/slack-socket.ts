import type * as Package from "@slack/socket-mode";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { redact } from "../../platform/redact.ts";
import { loadClient, webFetch } from "../channels/chat-client.ts";
import { silentLogger } from "../channels/slack-api.ts";

/**
 * Receives Slack's events over one connection; resolves when it has ended. Slack repeats an event
 * if `on` does not resolve in time.
 */
export type SlackListen = (
  on: (payload: unknown) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

interface SocketOptions {
  /** Of the app: `xapp-…`. */
  readonly appToken: string;
  /** The official one unless told. */
  readonly apiUrl?: string;
  readonly fetch: SafeFetch;
  load?(): Promise<typeof Package>;
}

interface Envelope {
  readonly type?: string;
  readonly body?: unknown;
  ack(): Promise<void>;
}

/** Socket Mode over Slack's own client. */
export function slackSocket(options: SocketOptions): SlackListen {
  const { appToken, apiUrl, load = () => import("@slack/socket-mode") } = options;
  return async (on, signal) => {
    const { SocketModeClient } = await loadClient("Slack", "@slack/socket-mode", load);
    if (signal.aborted) return;
    const client = new SocketModeClient({
      appToken,
      // Errors of its own reconnects could not be caught.
      autoReconnectEnabled: false,
      logger: silentLogger(),
      clientOptions: {
        ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
        fetch: webFetch(options.fetch, { secrets: [appToken], signal }),
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    });
    const ended = new Promise<void>((resolve) => client.once("disconnected", () => resolve()));
    client.on("slack_event", ({ body, ack }: Envelope) => {
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
  const said = error === undefined ? "the connection was closed" : messageOf(error);
  const sentence = `Slack cannot be listened to: ${redact(said, [token])}. Check the app's token and the network.`;
  return new DaybookError("unavailable", sentence, { details: { sent: false } });
}
