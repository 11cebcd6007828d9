import type { DiscordCommand } from "./discord-forms.ts";
import { discordRoutes, taken, type DiscordFixture } from "./discord-routes.ts";
import {
  discordKeys,
  pressed,
  signedInteraction,
  typed,
  type DiscordUser,
} from "./discord-told.ts";
import {
  DiscordRefusal,
  nextId,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordWorld,
} from "./discord-world.ts";
import { json, peer, type Answer, type Call, type Peer } from "./peer.ts";

/** An interaction and its response. */
interface DiscordAnswered {
  readonly interaction: object;
  readonly status: number;
  /** 1 pong, 4 a message, 5 a message later, 6 nothing, 7 an edit of the message. */
  readonly type?: number;
}

export interface DiscordServer extends Peer {
  readonly token: string;
  readonly publicKey: string;
  readonly apiUrl: string;
  readonly messages: readonly DiscordMessage[];
  readonly commands: readonly DiscordCommand[];
  channel(id: string, channel: DiscordChannel): void;
  /** Sets the handler of interactions. */
  deliverTo(handler: (request: Request) => Promise<Response>): void;
  /** A person types a command. */
  command(
    channel: string,
    from: DiscordUser,
    name: string,
    options?: Readonly<Record<string, string>>,
  ): Promise<DiscordAnswered>;
  /** A person presses a button. */
  press(message: string, data: string, from: DiscordUser): Promise<DiscordAnswered>;
  /** Repeats an interaction, with a valid or a forged signature: Discord tries both. */
  again(interaction: object, signature?: "true" | "forged"): Promise<DiscordAnswered>;
  /** Rate limits the next messages. */
  busy(times: number, seconds: number): void;
}

interface DiscordOptions {
  readonly channels?: Readonly<Record<string, DiscordChannel>>;
  readonly port?: number;
  now?(): number;
}

const token = "MTIzNDU2.test.token";

/** Discord's REST API and interactions for one application, stricter than the real one. */
export async function discordServer(options: DiscordOptions = {}): Promise<DiscordServer> {
  const { channels = {}, now = Date.now, port } = options;
  const world: DiscordWorld = {
    channels: new Map(Object.entries(channels)),
    messages: [],
    last: 1_000_000_000_000_000_000n,
  };
  const fixture: DiscordFixture = { world, commands: [], open: new Map() };
  const { secret, publicKey } = discordKeys();
  const forger = discordKeys().secret;
  const server = await peer({
    answer: (call) => answerTo(call, fixture),
    isSaying: ({ path, verb }) =>
      verb !== "GET" && /\/(channels|webhooks|interactions)\//.test(path),
    ...(port === undefined ? {} : { port }),
  });
  let handler: (request: Request) => Promise<Response> = () =>
    Promise.reject(new Error("nobody listens for interactions"));
  const tell = async (interaction: object, key = secret): Promise<DiscordAnswered> => {
    const answer = await handler(signedInteraction(interaction, { secret: key, at: now() }));
    if (answer.status !== 200) return { interaction, status: answer.status };
    return { interaction, status: 200, type: taken(fixture, interaction, await answer.json()) };
  };
  const begin = (channel: string) => {
    const id = nextId(world);
    fixture.open.set(`token-${id}`, { channel });
    return { id, token: `token-${id}`, channel };
  };
  return {
    ...server,
    token,
    publicKey,
    apiUrl: `${server.url}/api/v10`,
    messages: world.messages,
    get commands() {
      return fixture.commands;
    },
    channel: (id, channel) => void world.channels.set(id, channel),
    deliverTo: (to) => void (handler = to),
    command: (channel, from, name, given = {}) =>
      tell(typed({ ...begin(channel), from }, name, given)),
    async press(id, data, from) {
      const message = world.messages.find((each) => each.id === id);
      if (message === undefined) throw new Error(`there is no message ${id}`);
      const begun = begin(message.channel);
      fixture.open.set(begun.token, { channel: message.channel, message: id });
      return await tell(pressed({ ...begun, from }, message, data));
    },
    again: (interaction, signature = "true") =>
      tell(interaction, signature === "true" ? secret : forger),
    busy: (times, seconds) => server.next(...Array.from({ length: times }, () => tooMany(seconds))),
  };
}

async function answerTo(call: Call, fixture: DiscordFixture): Promise<Answer> {
  const path = call.path.replace(/^\/api\/v10\//, "");
  try {
    const found = discordRoutes.find(([verb, shape]) => verb === call.verb && shape.test(path));
    if (found === undefined) throw new DiscordRefusal(404, 0, "404: Not Found");
    checkHead(path, call.headers);
    const [, shape, run] = found;
    const body = await bodyIn(call);
    const result = run(fixture, (shape.exec(path) ?? []).slice(1), body);
    return result === undefined ? { status: 204 } : json(200, result as object);
  } catch (error) {
    if (!(error instanceof DiscordRefusal)) throw error;
    const { status, code, message, errors } = error;
    return json(status, { message, code, ...(errors === undefined ? {} : { errors }) });
  }
}

const formType = "multipart/form-data";

/** The JSON of a request; in a form it is a part, beside one file. */
async function bodyIn({ body, headers }: Call): Promise<unknown> {
  const type = headers["content-type"] ?? "";
  if (body === "") return undefined;
  if (!type.startsWith(formType)) return JSON.parse(body) as unknown;
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const [payload, given] = [form.get("payload_json"), form.get("files[0]")];
  if (typeof payload !== "string" || given === null || typeof given === "string") {
    throw new DiscordRefusal(400, 50_035, "Invalid Form Body");
  }
  const file = { name: given.name, content: await given.text() };
  return { ...(JSON.parse(payload) as object), file };
}

function checkHead(
  path: string,
  { authorization, "user-agent": agent, ...headers }: Call["headers"],
): void {
  // A path with an interaction's token needs no other one.
  if (!/^(webhooks|interactions)\//.test(path) && authorization !== `Bot ${token}`) {
    throw new DiscordRefusal(401, 0, "401: Unauthorized");
  }
  if (!/^DiscordBot \(.+, .+\)/.test(agent ?? "")) {
    throw new DiscordRefusal(403, 40_333, "internal network error");
  }
  const [type] = (headers["content-type"] ?? "application/json").split(";");
  if (type !== "application/json" && type !== formType) {
    throw new DiscordRefusal(400, 50_035, "Invalid Form Body");
  }
}

function tooMany(seconds: number): Answer {
  const body = { message: "You are being rate limited.", retry_after: seconds, global: false };
  const headers = { "retry-after": `${Math.ceil(seconds)}`, "x-ratelimit-scope": "user" };
  return json(429, body, headers);
}
