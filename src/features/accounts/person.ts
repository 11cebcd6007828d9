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
 * Somebody in a chat who may use one owner's book. All are in the system's own book, as tokens are. Unlinked is not an
 * end: the record's id is made from who they are, so that they can be linked again.
 */
export const personKind = defineKind({
  name: "person",
  body: z.strictObject({
    /** The channel they write on: "telegram". */
    channel: z.string().refine(isChannelName),
    /** Their id on that channel. */
    sender: z.string(),
    /** Their display name. It proves nothing. */
    name: z.string(),
    /** Whose book. */
    owner: z.string(),
    /** Who acts. */
    principal: z.string(),
    scopes: scopeList,
  }),
  outcome: z.null(),
  states: { active: ["unlinked"], unlinked: ["active"] },
});
export interface PersonKind extends KindOf<typeof personKind> {}

export const personLayout = fileLayout({ kind: personKind, folder: "people" });

/** Who somebody is in a chat. */
export interface Sender {
  readonly channel: string;
  readonly sender: string;
}

/** What somebody in a chat may do: ask, and nothing for others. */
export const personScopes: readonly Scope[] = ["read", "write"];

const senderCharsMax = 200;
const nameCharsMax = 100;

export function makePerson(body: PersonKind["body"]): DraftOf<PersonKind> & { id: string } {
  const { channel, sender } = body;
  if (!isChannelName(channel) || !isSender(sender)) {
    const who = quote(`${channel}:${sender}`);
    throw new DaybookError("invalid", `${who} is nobody: write it as channel:sender.`);
  }
  return {
    kind: "person",
    id: personId({ channel, sender }),
    body: { ...body, name: oneLine(body.name, nameCharsMax) },
    state: "active",
    holds: [ownerSlot(personLimit, body.owner)],
  };
}

/** A person's record is found by who they are. A channel's name has no colon, so no two are alike. */
export function personId(who: Sender): string {
  return idFrom(`person:${nameOf(who)}`);
}

/** Who acts, when nobody has said otherwise. */
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
