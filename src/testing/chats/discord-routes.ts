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

/** What an application has at Discord. */
export interface DiscordDesk {
  readonly world: DiscordWorld;
  commands: readonly DiscordCommand[];
  /** Interactions by their token: where they happened, and the message that answers. */
  readonly open: Map<string, { channel: string; message?: string }>;
}

/** Does what an interaction was answered with. */
export function taken(desk: DiscordDesk, interaction: object, answer: unknown): number {
  const { type, data } = readForm(discordAnswer, answer);
  const { token = "" } = interaction as { token?: string };
  const begun = desk.open.get(token);
  if (begun === undefined) return type;
  if (type === 4) begun.message = post(desk.world, begun.channel, data).id;
  if (type === 5) delete begun.message;
  if (type === 7) edit(desk.world, begun.message ?? "", data);
  return type;
}

/** A request, and what is answered: nothing for a 204. */
type Route = [
  verb: string,
  shape: RegExp,
  run: (desk: DiscordDesk, ids: readonly string[], body: unknown) => unknown,
];

export const discordRoutes: readonly Route[] = [
  ["GET", /^users\/@me$/, () => botUser],
  ["GET", /^applications\/@me$/, () => ({ id: applicationId, name: "daybook", bot: botUser })],
  [
    "PUT",
    /^applications\/(\d+)\/commands$/,
    (desk, [id], body) => {
      if (id !== applicationId) throw new DiscordRefusal(404, 10_002, "Unknown Application");
      desk.commands = readForm(discordCommands, body);
      return desk.commands.map((command, at) => ({ id: `${at}`, application_id: id, ...command }));
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
    (desk, [, token = ""], body) => {
      openOf(desk, token);
      taken(desk, { token }, body);
      return undefined;
    },
  ],
  [
    "POST",
    /^webhooks\/\d+\/([\w-]+)$/,
    (desk, [token = ""], body) => sentMessage(post(desk.world, openOf(desk, token).channel, body)),
  ],
  [
    "PATCH",
    /^webhooks\/\d+\/([\w-]+)\/messages\/@original$/,
    (desk, [token = ""], body) => {
      const begun = openOf(desk, token);
      if (begun.message !== undefined) return sentMessage(edit(desk.world, begun.message, body));
      const message = post(desk.world, begun.channel, body);
      begun.message = message.id;
      return sentMessage(message);
    },
  ],
];

function openOf({ open }: DiscordDesk, token: string): { channel: string; message?: string } {
  const begun = open.get(token);
  if (begun === undefined) throw new DiscordRefusal(404, 10_015, "Unknown Webhook");
  return begun;
}
