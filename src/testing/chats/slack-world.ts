import { slackBlocks, type SlackBlock, type SlackForms } from "./slack-forms.ts";
import { readMrkdwn, type SlackShown } from "./slack-text.ts";

/** A channel of the workspace. */
export interface SlackChannel {
  /** Why the bot cannot post there: `is_archived`, `not_in_channel`. */
  readonly error?: string;
}

export interface SlackUser {
  readonly id: string;
  readonly name: string;
}

/** A message of the bot, as people see it now. */
export interface SlackMessage extends SlackShown {
  readonly ts: string;
  readonly channel: string;
  readonly thread?: string;
  /** As it was sent. */
  readonly source: { readonly text: string; readonly blocks: readonly SlackBlock[] };
  readonly buttons: readonly SlackButton[];
  /** The file that it shows. */
  readonly file?: { readonly id: string; readonly name: string; readonly content: string };
  /** Its earlier versions, oldest first. */
  readonly before: readonly Pick<SlackMessage, "text" | "buttons">[];
}

interface SlackButton {
  readonly text: string;
  readonly action: string;
  readonly data: string;
  readonly block: string;
}

/** A file on its way: it is named, uploaded and shown, once and in this order. */
interface SlackFile {
  readonly name: string;
  /** In bytes, as announced. */
  readonly length: number;
  content?: string;
  isShown?: true;
}

export interface SlackWorld {
  readonly channels: Map<string, SlackChannel>;
  /** The direct channel of each person. */
  readonly people: Map<string, string>;
  readonly messages: SlackMessage[];
  /** By id. */
  readonly files: Map<string, SlackFile>;
  /** The timestamps of people's messages, by channel: they can be threads, and cannot be edited. */
  readonly others: Map<string, Set<string>>;
  last: number;
  now(): number;
}

/** A refusal, with the service's code or text. */
export class SlackRefusal extends Error {
  readonly messages: readonly string[];

  constructor(error: string, messages: readonly string[] = []) {
    super(error);
    this.messages = messages;
  }
}

const charsMax = 40_000;
/** An undocumented limit, reported by developers. */
const blockCharsMax = 13_200;

export function timestamp(world: SlackWorld): string {
  world.last += 1;
  return `${Math.floor(world.now() / 1_000)}.${String(world.last).padStart(6, "0")}`;
}

/** The channel of an id: a person's id stands for their direct channel. */
export function channelOf(world: SlackWorld, given: string): string {
  const id = world.people.get(given) ?? given;
  const channel = world.channels.get(id);
  if (channel === undefined) throw new SlackRefusal("channel_not_found");
  if (channel.error !== undefined) throw new SlackRefusal(channel.error);
  return id;
}

type Posted = Pick<SlackForms["chat.postMessage"], "channel" | "thread_ts" | "text" | "blocks">;

export function addMessage(
  world: SlackWorld,
  form: Posted,
  file?: SlackMessage["file"],
): SlackMessage {
  const channel = channelOf(world, form.channel);
  const { thread_ts: thread } = form;
  const isThread =
    thread === undefined ||
    world.others.get(channel)?.has(thread) === true ||
    world.messages.some((message) => message.ts === thread && message.channel === channel);
  if (!isThread) throw new SlackRefusal("thread_not_found");
  const message = {
    ts: timestamp(world),
    channel,
    ...(thread === undefined ? {} : { thread }),
    ...shown(form),
    ...(file === undefined ? {} : { file }),
    before: [],
  };
  world.messages.push(message);
  return message;
}

export function update(world: SlackWorld, form: SlackForms["chat.update"]): SlackMessage {
  if (world.people.has(form.channel)) throw new SlackRefusal("channel_not_found");
  const channel = channelOf(world, form.channel);
  const at = world.messages.findIndex((each) => each.ts === form.ts && each.channel === channel);
  const old = world.messages[at];
  if (old === undefined) {
    const isOther = world.others.get(channel)?.has(form.ts) === true;
    throw new SlackRefusal(isOther ? "cant_update_message" : "message_not_found");
  }
  const before = [...old.before, { text: old.text, buttons: old.buttons }];
  const message = { ...old, ...shown(form), before };
  world.messages[at] = message;
  return message;
}

type Content = Pick<SlackForms["chat.postMessage"], "text" | "blocks">;

/** People see the blocks; the text beside them is for notifications. */
export function shown({
  text = "",
  blocks: given = [],
}: Content): SlackShown & Pick<SlackMessage, "source" | "buttons"> {
  const blocks = readBlocks(given);
  if (text === "" && blocks.length === 0) throw new SlackRefusal("no_text");
  if (text.length > charsMax) throw new SlackRefusal("msg_too_long");
  const texts = blocks.flatMap(textsOf);
  const chars = texts.reduce((sum, each) => sum + each.text.length, 0);
  if (chars > blockCharsMax) throw new SlackRefusal("msg_blocks_too_long");
  const seen = (blocks.length === 0 ? [{ type: "mrkdwn", text }] : texts).map((each) =>
    each.type === "mrkdwn" ? readMrkdwn(each.text) : { text: each.text, links: [], pings: [] },
  );
  return {
    text: seen.map((each) => each.text).join("\n"),
    links: seen.flatMap((each) => each.links),
    pings: seen.flatMap((each) => each.pings),
    source: { text, blocks },
    buttons: blocks.flatMap(buttonsOf),
  };
}

function readBlocks(given: readonly unknown[]): readonly SlackBlock[] {
  const { data = [], error } = slackBlocks.safeParse(given);
  const wrong = (error?.issues ?? []).map(
    ({ message, path }) => `[ERROR] ${message} [json-pointer:/${["blocks", ...path].join("/")}]`,
  );
  if (wrong.length > 0) throw new SlackRefusal("invalid_blocks", wrong);
  const actions = data.flatMap((block, at) => buttonsOf(block, at).map(({ action }) => action));
  if (new Set(actions).size !== actions.length) {
    throw new SlackRefusal("invalid_blocks", ["[ERROR] `action_id` already exists"]);
  }
  return data;
}

function textsOf(block: SlackBlock): readonly { type: string; text: string }[] {
  if (block.type === "section") return [block.text];
  return block.type === "context" ? block.elements : [];
}

function buttonsOf(block: SlackBlock, at: number): readonly SlackButton[] {
  if (block.type !== "actions") return [];
  return block.elements.map(({ text, action_id: action, value = "" }) => ({
    text: text.text,
    action,
    data: value,
    block: block.block_id ?? `b${at}`,
  }));
}
