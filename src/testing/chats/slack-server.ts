import { json, peer, type Answer, type Peer } from "./peer.ts";
import { answerTo, type SlackMethods } from "./slack-answer.ts";
import { announce, share, upload } from "./slack-files.ts";
import { respond, type Whisper } from "./slack-response.ts";
import { slackSocket, type SlackSocket } from "./slack-socket.ts";
import { appToken, token } from "./slack-tokens.ts";
import { pressed, said, sentMessage, signedRequest, type SlackTold } from "./slack-told.ts";
import {
  addMessage,
  channelOf,
  shown,
  SlackRefusal,
  timestamp,
  update,
  type SlackChannel,
  type SlackMessage,
  type SlackUser,
  type SlackWorld,
} from "./slack-world.ts";

export interface SlackServer extends Peer {
  /** Of the bot. */
  readonly token: string;
  /** Of the app, for Socket Mode. */
  readonly appToken: string;
  readonly signingSecret: string;
  /** `slackApiUrl` of the clients. */
  readonly apiUrl: string;
  readonly messages: readonly SlackMessage[];
  /** The messages that only one person sees. */
  readonly whispers: readonly Whisper[];
  readonly socket: Pick<SlackSocket, "count" | "open" | "refresh">;
  channel(id: string, channel: SlackChannel): void;
  /** Sends all events to this handler as signed requests, and none to sockets. */
  deliverTo(handler: (request: Request) => Promise<Response>): void;
  /** A person sends a message; resolves when it is acknowledged. */
  say(
    channel: string,
    from: SlackUser,
    text: string,
    where?: { readonly thread?: string },
  ): Promise<SlackTold>;
  /** A person presses a button; resolves when it is acknowledged. */
  press(ts: string, data: string, from: SlackUser): Promise<SlackTold>;
  /** Repeats an event, as after a late acknowledgement. */
  again(told: SlackTold): Promise<void>;
  /** Rate limits the next messages. */
  busy(times: number, seconds: number): void;
}

interface SlackOptions {
  readonly channels?: Readonly<Record<string, SlackChannel>>;
  /** People, with the id of their direct channel. */
  readonly people?: Readonly<Record<string, string>>;
  /** That the app was given. */
  readonly scopes?: readonly string[];
  readonly port?: number;
  now?(): number;
}

const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";

/** Slack's Web API, Socket Mode and Events API for one app in one workspace, stricter than the real one. */
export async function slackServer(options: SlackOptions = {}): Promise<SlackServer> {
  const { channels = {}, people = {}, now = Date.now, port } = options;
  const { scopes = ["chat:write", "files:write"] } = options;
  const directs = Object.values(people).map((id): [string, SlackChannel] => [id, {}]);
  const world: SlackWorld = {
    channels: new Map([...Object.entries(channels), ...directs]),
    people: new Map(Object.entries(people)),
    messages: [],
    files: new Map(),
    others: new Map(),
    last: 0,
    now,
  };
  const whispers: Whisper[] = [];
  const socket = slackSocket();
  const methods = methodsOf(world, { whispers, socket });
  const server = await peer({
    answer(call) {
      if (call.path.startsWith("/actions/")) return respond(world, whispers, call);
      if (call.path.startsWith("/upload/")) return upload(world, call);
      return answerTo(call, methods, scopes);
    },
    isSaying: ({ path }) => /^\/(api\/(chat|files)\.|actions\/|upload\/)/.test(path),
    prepare: socket.prepare,
    ...(port === undefined ? {} : { port }),
  });
  let handler: ((request: Request) => Promise<Response>) | undefined;
  const tell = async (told: SlackTold, retry = 0): Promise<void> => {
    if (handler === undefined) return await socket.say({ ...told, retry });
    const signing = { secret: signingSecret, at: now(), base: "https://app.example/slack", retry };
    const { status } = await handler(signedRequest(told, signing));
    if (status !== 200) throw new Error(`the app answered ${status}`);
  };
  return {
    ...server,
    token,
    appToken,
    signingSecret,
    apiUrl: `${server.url}/api/`,
    messages: world.messages,
    whispers,
    socket,
    channel: (id, channel) => void world.channels.set(id, channel),
    deliverTo: (to) => void (handler = to),
    async say(channel, from, text, where = {}) {
      const told = said(world, { channel, from, text, ...where });
      await tell(told);
      return told;
    },
    async press(ts, data, from) {
      const message = world.messages.find((each) => each.ts === ts);
      if (message === undefined) throw new Error(`there is no message ${ts}`);
      const told = pressed(world, message, { data, from, url: server.url });
      await tell(told);
      return told;
    },
    again: (told) => tell(told, 1),
    busy: (times, seconds) => server.next(...Array.from({ length: times }, () => tooMany(seconds))),
    async close() {
      socket.close();
      await server.close();
    },
  };
}

function methodsOf(
  world: SlackWorld,
  { whispers, socket }: { whispers: Whisper[]; socket: SlackSocket },
): SlackMethods {
  return {
    "auth.test": () => ({
      team: "Workspace",
      team_id: "T1",
      user_id: "UBOT",
      bot_id: "B1",
    }),
    "apps.connections.open": (_, { headers }) => ({ url: socket.ticket(headers["host"] ?? "") }),
    "conversations.open"({ users }) {
      const id = world.people.get(users);
      if (id === undefined) throw new SlackRefusal("user_not_found");
      return { channel: { id } };
    },
    "chat.postMessage"(form) {
      const message = addMessage(world, form);
      return { channel: message.channel, ts: message.ts, message: sentMessage(message) };
    },
    "chat.postEphemeral"(form) {
      channelOf(world, form.channel);
      whispers.push({ user: form.user, text: shown(form).text });
      return { message_ts: timestamp(world) };
    },
    "files.getUploadURLExternal": (form, { headers }) =>
      announce(world, form, `http://${headers["host"] ?? ""}`),
    "files.completeUploadExternal": (form) => share(world, form),
    "chat.update"(form) {
      const message = update(world, form);
      const { channel, ts, source } = message;
      return { channel, ts, text: source.text, message: sentMessage(message) };
    },
  };
}

function tooMany(seconds: number): Answer {
  return json(429, { ok: false, error: "ratelimited" }, { "retry-after": `${seconds}` });
}
