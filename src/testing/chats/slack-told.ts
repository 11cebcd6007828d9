import { createHmac } from "node:crypto";
import { escapeSlack } from "./slack-text.ts";
import { timestamp, type SlackMessage, type SlackUser, type SlackWorld } from "./slack-world.ts";

/** An event that Slack posts to an app, in Slack's shape. */
export interface SlackTold {
  /** The same on every repeat. */
  readonly id: string;
  readonly type: "events_api" | "interactive";
  readonly payload: object;
}

const team = { id: "T1", domain: "workspace" };

/** A person's message, perhaps in a thread. */
export function said(
  world: SlackWorld,
  {
    channel,
    from,
    text,
    thread,
  }: { channel: string; from: SlackUser; text: string; thread?: string },
): SlackTold {
  const ts = timestamp(world);
  const others = world.others.get(channel) ?? new Set();
  world.others.set(channel, others.add(ts));
  const event = {
    type: "message",
    user: from.id,
    text: escapeSlack(text).replaceAll("@daybook", "<@UBOT>"), // as Slack's app writes a picked mention
    ts,
    client_msg_id: `c-${ts}`,
    team: team.id,
    channel,
    event_ts: ts,
    channel_type: channel.startsWith("D") ? "im" : "channel",
    ...(thread === undefined ? {} : { thread_ts: thread }),
  };
  const id = `Ev${world.last}`;
  const payload = {
    token: "verification",
    team_id: team.id,
    api_app_id: "A1",
    event,
    type: "event_callback",
    event_id: id,
    event_time: Math.floor(world.now() / 1_000),
    authorizations: [{ team_id: team.id, user_id: "UBOT", is_bot: true }],
  };
  return { id, type: "events_api", payload };
}

/** A pressed button under a message of the bot. */
export function pressed(
  world: SlackWorld,
  message: SlackMessage,
  { data, from, url }: { data: string; from: SlackUser; url: string },
): SlackTold {
  const button = message.buttons.find((each) => each.data === data);
  if (button === undefined) throw new Error(`message ${message.ts} has no button ${data}`);
  const action_ts = timestamp(world);
  const id = `trigger-${world.last}`;
  const payload = {
    type: "block_actions",
    user: { ...from, username: from.name, team_id: team.id },
    api_app_id: "A1",
    token: "verification",
    container: {
      type: "message",
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: false,
      ...(message.thread === undefined ? {} : { thread_ts: message.thread }),
    },
    trigger_id: id,
    team,
    channel: { id: message.channel, name: "a-channel" },
    message: sentMessage(message),
    response_url: `${url}/actions/T1/${message.channel}/${message.ts}`,
    actions: [
      {
        type: "button",
        action_id: button.action,
        block_id: button.block,
        text: { type: "plain_text", text: button.text, emoji: true },
        value: button.data,
        action_ts,
      },
    ],
  };
  return { id, type: "interactive", payload };
}

/** A message of the bot, as it is in answers and payloads. */
export function sentMessage({ ts, thread, source }: SlackMessage): object {
  return {
    type: "message",
    subtype: "bot_message",
    user: "UBOT",
    bot_id: "B1",
    app_id: "A1",
    team: team.id,
    ts,
    text: source.text,
    ...(source.blocks.length === 0 ? {} : { blocks: source.blocks }),
    ...(thread === undefined ? {} : { thread_ts: thread }),
  };
}

/** A signed request of the Events API. `at`: UTC epoch milliseconds. */
export function signedRequest(
  told: Pick<SlackTold, "type" | "payload">,
  { secret, at, base, retry = 0 }: { secret: string; at: number; base: string; retry?: number },
): Request {
  const text = JSON.stringify(told.payload);
  const isEvent = told.type === "events_api";
  const body = isEvent ? text : new URLSearchParams({ payload: text }).toString();
  const seconds = `${Math.floor(at / 1_000)}`;
  const signature = createHmac("sha256", secret).update(`v0:${seconds}:${body}`).digest("hex");
  const retried: Record<string, string> =
    retry === 0 ? {} : { "x-slack-retry-num": `${retry}`, "x-slack-retry-reason": "http_timeout" };
  return new Request(`${base}/${isEvent ? "events" : "interactivity"}`, {
    method: "POST",
    headers: {
      "content-type": isEvent ? "application/json" : "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": seconds,
      "x-slack-signature": `v0=${signature}`,
      ...retried,
    },
    body,
  });
}
