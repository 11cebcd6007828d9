import { discordAnswer, discordCommands, type DiscordCommand } from "./discord-forms.ts";
import { applicationId, botUser, sentMessage } from "./discord-told.ts";
import {
  checkChannel,
  DiscordRefusal,
  edit,
  post,
  readForm,
  type DiscordWorld,
} from "./discord-world.ts";

/** The state of an application at Discord. */
export interface DiscordFixture {
  readonly world: DiscordWorld;
  commands: readonly DiscordCommand[];
  /** Interactions by their token: their channel, and the message that answers. */
  readonly open: Map<string, { channel: string; message?: string }>;
}

/** Applies the response to an interaction. */
export function taken(fixture: DiscordFixture, interaction: object, answer: unknown): number {
  const { type, data } = readForm(discordAnswer, answer);
  const { token = "" } = interaction as { token?: string };
  const begun = fixture.open.get(token);
  if (begun === undefined) return type;
  if (type === 4) begun.message = post(fixture.world, begun.channel, data).id;
  if (type === 5) delete begun.message;
  if (type === 7) edit(fixture.world, begun.message ?? "", data);
  return type;
}

/** A request, and its answer; undefined: 204. */
type Route = [
  verb: string,
  shape: RegExp,
  run: (fixture: DiscordFixture, ids: readonly string[], body: unknown) => unknown,
];

export const discordRoutes: readonly Route[] = [
  ["GET", /^users\/@me$/, () => botUser],
  ["GET", /^applications\/@me$/, () => ({ id: applicationId, name: "daybook", bot: botUser })],
  [
    "PUT",
    /^applications\/(\d+)\/commands$/,
    (fixture, [id], body) => {
      if (id !== applicationId) throw new DiscordRefusal(404, 10_002, "Unknown Application");
      fixture.commands = readForm(discordCommands, body);
      return fixture.commands.map((command, at) => ({
        id: `${at}`,
        application_id: id,
        ...command,
      }));
    },
  ],
  [
    "POST",
    /^channels\/(\w+)\/messages$/,
    ({ world }, [channel = ""], body) => sentMessage(post(world, channel, body)),
  ],
  [
    "PATCH",
    /^channels\/(\w+)\/messages\/(\d+)$/,
    ({ world }, [channel = "", id = ""], body) => {
      checkChannel(world, channel);
      return sentMessage(edit(world, id, body));
    },
  ],
  [
    "POST",
    /^interactions\/(\d+)\/([\w-]+)\/callback$/,
    (fixture, [, token = ""], body) => {
      openOf(fixture, token);
      taken(fixture, { token }, body);
      return undefined;
    },
  ],
  [
    "POST",
    /^webhooks\/\d+\/([\w-]+)$/,
    (fixture, [token = ""], body) =>
      sentMessage(post(fixture.world, openOf(fixture, token).channel, body)),
  ],
  [
    "PATCH",
    /^webhooks\/\d+\/([\w-]+)\/messages\/@original$/,
    (fixture, [token = ""], body) => {
      const begun = openOf(fixture, token);
      if (begun.message !== undefined) return sentMessage(edit(fixture.world, begun.message, body));
      const message = post(fixture.world, begun.channel, body);
      begun.message = message.id;
      return sentMessage(message);
    },
  ],
];

function openOf({ open }: DiscordFixture, token: string): { channel: string; message?: string } {
  const begun = open.get(token);
  if (begun === undefined) throw new DiscordRefusal(404, 10_015, "Unknown Webhook");
  return begun;
}
