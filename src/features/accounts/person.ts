import * as z from "zod";
import { fileLayout } from "../../kernel/files.ts";
import { type OwnerLimit, ownerSlot } from "../../kernel/holds.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Scope } from "../../kernel/scope.ts";
import { isChannelName } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { idFrom } from "../../platform/ids.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { scopeList } from "./token.ts";

/**
 * A sender in a chat who may use the book of one owner. Like tokens, these records are in the system's book. "unlinked"
 * does not end the record: its id is derived from the sender, who can be linked again.
 */
export const personKind = defineKind({
  name: "person",
  body: z.strictObject({
    /** The channel of the chat, such as "telegram". */
    channel: z.string().refine(isChannelName),
    /** The sender's id on that channel. */
    sender: z.string(),
    /** The display name in the chat. It is not proof of identity. */
    name: z.string(),
    /** The owner of the book. */
    owner: z.string(),
    /** The name of the caller in histories. */
    principal: z.string(),
    scopes: scopeList,
  }),
  outcome: z.null(),
  states: { active: ["unlinked"], unlinked: ["active"] },
});
export interface PersonKind extends KindOf<typeof personKind> {}

export const personLayout = fileLayout({ kind: personKind, folder: "records/people" });

/** The identity of a person in a chat. */
export interface Sender {
  readonly channel: string;
  readonly sender: string;
}

/** The scopes of every person in a chat. */
export const personScopes: readonly Scope[] = ["read", "write"];

const senderCharsMax = 200;
const nameCharsMax = 100;

export function makePerson(body: PersonKind["body"]): DraftOf<PersonKind> & { id: string } {
  const { channel, sender } = body;
  if (!isChannelName(channel) || !isSender(sender)) {
    const given = quote(`${channel}:${sender}`);
    throw new DaybookError("invalid", `${given} is not a sender: write it as channel:sender.`);
  }
  return {
    kind: "person",
    id: personId({ channel, sender }),
    body: { ...body, name: oneLine(body.name, nameCharsMax) },
    state: "active",
    holds: [ownerSlot(personLimit, body.owner)],
  };
}

/** The id of a person is a hash of channel and sender. A channel's name has no colon, so ids are distinct. */
export function personId(sender: Sender): string {
  return idFrom(`person:${nameOf(sender)}`);
}

/** The default principal of a sender. */
export function nameOf({ channel, sender }: Sender): string {
  return `${channel}:${sender}`;
}

function isSender(text: string): boolean {
  return /^\S+$/.test(text) && text.length <= senderCharsMax && !/\p{Cc}/u.test(text);
}

export const personLimit: OwnerLimit = {
  kind: "person",
  max: 100,
  plural: "people in chats",
  advice: "unlink one first",
};
