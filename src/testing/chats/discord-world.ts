import type { z } from "zod";
import { discordEdit, discordMessage, type DiscordForm } from "./discord-forms.ts";
import { readDiscord, type DiscordShown } from "./discord-text.ts";

/** A channel or thread. */
export interface DiscordChannel {
  /** `Missing Access`, `Thread is archived` or `Cannot send messages to this user`. */
  readonly error?: keyof typeof troubles;
}

/** A message of the bot, as people see it now. */
export interface DiscordMessage extends DiscordShown {
  readonly id: string;
  readonly channel: string;
  readonly nonce?: string;
  readonly replyTo?: string;
  readonly content: string;
  readonly buttons: readonly { readonly text: string; readonly data: string }[];
  readonly file?: { readonly name: string; readonly content: string };
  /** Only one person sees it. */
  readonly isPrivate: boolean;
  /** Its earlier versions, oldest first. */
  readonly before: readonly Pick<DiscordMessage, "text" | "buttons">[];
}

export interface DiscordWorld {
  readonly channels: Map<string, DiscordChannel>;
  readonly messages: DiscordMessage[];
  last: bigint;
}

/** A refusal, with the service's code or text. */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: object | undefined;

  constructor(status: number, code: number, message: string, errors?: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

const troubles = {
  "Missing Access": [403, 50_001],
  "Missing Permissions": [403, 50_013],
  "Cannot send messages to this user": [403, 50_007],
  "Thread is archived": [400, 50_083],
} as const;

const privateFlag = 64;

export function nextId(world: DiscordWorld): string {
  world.last += 1n;
  return `${world.last}`;
}

export function checkChannel({ channels }: DiscordWorld, id: string): void {
  const channel = channels.get(id);
  if (channel === undefined) throw new DiscordRefusal(404, 10_003, "Unknown Channel");
  if (channel.error === undefined) return;
  const [status, code] = troubles[channel.error];
  throw new DiscordRefusal(status, code, channel.error);
}

export function post(world: DiscordWorld, channel: string, given: unknown): DiscordMessage {
  checkChannel(world, channel);
  const form = readForm(discordMessage, given);
  const { nonce, enforce_nonce: isOnce = false, message_reference: reference } = form;
  const same = world.messages.find((each) => each.nonce === nonce && each.channel === channel);
  if (isOnce && nonce !== undefined && same !== undefined) return same;
  const message = {
    id: nextId(world),
    channel,
    ...(nonce === undefined ? {} : { nonce }),
    ...(reference === undefined ? {} : { replyTo: reference.message_id }),
    ...shown(form),
    ...(form.file === undefined ? {} : { file: form.file }),
    before: [],
  };
  world.messages.push(message);
  return message;
}

/** Changes the given fields only. */
export function edit(world: DiscordWorld, id: string, given: unknown): DiscordMessage {
  const form = readForm(discordEdit, given);
  const at = world.messages.findIndex((each) => each.id === id);
  const old = world.messages[at];
  if (old === undefined) throw new DiscordRefusal(404, 10_008, "Unknown Message");
  checkChannel(world, old.channel);
  const fresh = shown({ ...form, content: form.content ?? old.content });
  const buttons = form.components === undefined ? old.buttons : fresh.buttons;
  const before = [...old.before, { text: old.text, buttons: old.buttons }];
  const message = { ...old, ...fresh, buttons, isPrivate: old.isPrivate, before };
  world.messages[at] = message;
  return message;
}

type Shown = Pick<DiscordMessage, "text" | "links" | "pings" | "content" | "buttons" | "isPrivate">;

function shown({ content = "", components = [], allowed_mentions, flags = 0 }: DiscordForm): Shown {
  if (content.trim() === "") {
    throw new DiscordRefusal(400, 50_006, "Cannot send an empty message");
  }
  const { text, links, pings } = readDiscord(content);
  const isQuiet = allowed_mentions?.parse.length === 0;
  const buttons = components
    .flatMap((row) => row.components)
    .map(({ label, custom_id }) => ({ text: label, data: custom_id }));
  const names = buttons.map(({ data }) => data);
  if (new Set(names).size !== names.length) {
    throw invalid({ components: one("COMPONENT_CUSTOM_ID_DUPLICATED", "id cannot be duplicated") });
  }
  return {
    // Space around a message is not shown.
    text: text.trim(),
    links,
    pings: isQuiet ? [] : pings,
    content,
    buttons,
    isPrivate: (flags & privateFlag) !== 0,
  };
}

/** Nests each error at its field, as Discord does. */
export function readForm<Form>(shape: z.ZodType<Form>, given: unknown): Form {
  const { data, error } = shape.safeParse(given);
  if (error === undefined) return data;
  const errors: Record<string, object> = {};
  for (const { path, message, code } of error.issues) {
    const kind = code === "too_big" ? "BASE_TYPE_MAX_LENGTH" : "BASE_TYPE_BAD";
    const place = path
      .toReversed()
      .reduce<object>((inner, key) => ({ [String(key)]: inner }), one(kind, message));
    Object.assign(errors, path.length === 0 ? { form: place } : place);
  }
  throw invalid(errors);
}

function one(code: string, message: string): object {
  return { _errors: [{ code, message }] };
}

function invalid(errors: object): DiscordRefusal {
  return new DiscordRefusal(400, 50_035, "Invalid Form Body", errors);
}
