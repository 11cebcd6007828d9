import * as z from "zod";
import { findRecord, retryIfStale } from "../../../kernel/book.ts";
import { tooMany } from "../../../kernel/holds.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import { type Installation, operation, type Caller } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { fields } from "../../../kernel/schemas.ts";
import { scopes } from "../../../kernel/scope.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { systemOwner } from "../../nodes/index.ts";
import { inviteId, isOpen, readCode, type InviteKind, inviteKind } from "../invite.ts";
import {
  makePerson,
  nameOf,
  personId,
  personScopes,
  type Sender,
  type PersonKind,
  personKind,
  personLimit,
} from "../person.ts";
import { moreLine, textsOf } from "../texts.ts";
import type { WrongCodes } from "./link.ts";
import { systemBook } from "./tokens.ts";

type Person = LedgerRecord<PersonKind>;
type Invite = LedgerRecord<InviteKind>;

const personView = z.object({
  id: z.string(),
  channel: z.string(),
  sender: z.string().describe("who they are there, as the channel knows them"),
  name: z.string().describe("what they call themselves there"),
  owner: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  linked_at: z.string(),
});

function shownPerson({ id, body, updatedAt }: Person): z.infer<typeof personView> {
  return { id, ...body, scopes: [...body.scopes], linked_at: isoOf(updatedAt) };
}

export const people = listOperation(personKind, {
  plural: "people",
  summary: "Show who may ask from a chat, in which book.",
  scope: "admin",
  tool: "never",
  filters: {},
  example: {},
  book: systemBook,
  query: () => ({ state: "active", order: "oldest" }),
  next: z.string().nullable(),
  view: personView,
  show: shownPerson,
  line({ id, name, owner, ...sender }, { language }) {
    const text = textsOf(language).personLine({ name, who: nameOf(sender), owner });
    return `${id}  ${oneLine(text, 500)}`;
  },
  empty: ({ language }) => textsOf(language).noPeople(),
  more: moreLine,
});

export const unlink = operation({
  name: "unlink_person",
  summary: "Hear nothing more from somebody in a chat.",
  input: z.strictObject({ id: fields.id }),
  output: z.object({ id: z.string(), unlinked: z.boolean().describe("false: it was before") }),
  scope: "admin",
  example: { id: "d30499a3-109e-8bc7-88c3-59f966b9f1f3" },
  route: { method: "DELETE", path: "/v1/people/{id}" },
  command: { name: "unlink", positionals: ["id"] },
  tool: "never",
  async run({ id }, context) {
    const book = systemBook(context);
    return retryIfStale(async () => {
      const { state, revision, kind } = await findRecord(book, personKind, id);
      if (state !== "active") return { id, unlinked: false };
      await book.edit({ kind, id, ifRevision: revision, state: "unlinked", holds: [] });
      return { id, unlinked: true };
    });
  },
  render: (_, { language }) => textsOf(language).personUnlinked(),
});

/** The caller that a person in a chat is, without the chat of the request. */
export type LinkedCaller = Pick<Caller, "owner" | "by" | "scopes">;

/** The people in chats: linked ones in the ledger, and those in the settings. */
export interface ChatPeople extends Pick<Installation, "ledger" | "now"> {
  /** The people on a channel in the settings. */
  senders?(channel: string): readonly { readonly id: string; readonly owner: string }[];
}

/** The caller for a sender in a chat; undefined if the sender is not linked. */
export async function findPerson(
  { ledger, senders }: ChatPeople,
  channel: string,
  sender: string,
): Promise<LinkedCaller | undefined> {
  const set = senders?.(channel).find(({ id }) => id === sender);
  if (set !== undefined) {
    return { owner: set.owner, by: nameOf({ channel, sender }), scopes: personScopes };
  }
  const record = await ledger.of(systemOwner, systemOwner).get(personId({ channel, sender }));
  return is(personKind, record) && record.state === "active" ? known(record.body) : undefined;
}

/** Makes whoever says the code of an invite a person of its book. One that was used lets nobody else in. */
export async function joinByCode(
  installation: ChatPeople,
  code: string,
  who: Joiner,
  wrong?: WrongCodes,
): Promise<LinkedCaller> {
  const read = readCode(code);
  const book = installation.ledger.of(systemOwner, nameOf(who));
  const invite = read === undefined ? undefined : await book.get(inviteId(read));
  if (is(inviteKind, invite)) {
    const isGood = isOpen(invite, installation.now());
    const joined = isGood ? await join(book, invite, who) : await joinedBefore(book, invite, who);
    if (joined !== undefined) return joined;
  }
  wrong?.count(nameOf(who));
  throw new DaybookError(
    "refused",
    "This code is wrong, used or over: ask for another, which daybook link makes.",
  );
}

type Joiner = Sender & { readonly name: string };

/** One unit: the code is used, and they are a person. Nothing when somebody else was faster. */
async function join(
  book: Book,
  { id, kind, body: { owner, principal } }: Invite,
  who: Joiner,
): Promise<LinkedCaller | undefined> {
  const granted = { owner, principal: principal ?? nameOf(who), scopes: personScopes };
  const person = makePerson({ ...who, ...granted });
  const { body, holds = [] } = person;
  // Who was linked before has a record, which an append leaves as it is: whoever has a code is linked anew.
  const again = { kind: person.kind, id: person.id, body, holds, state: "active" } as const;
  const used = { kind, id, ends: "used", outcome: { person: person.id } } as const;
  try {
    await book.edit(used, { append: [person], edit: [again] });
    return known(body);
  } catch (error) {
    if (hasCode(error, "ended", "stale")) return joinedBefore(book, { id }, who);
    throw hasCode(error, "held") ? tooMany(personLimit, owner, error) : error;
  }
}

/** Who used a code and says it again is told the same: the first answer may have been lost. */
async function joinedBefore(
  book: Book,
  { id }: Pick<Invite, "id">,
  who: Sender,
): Promise<LinkedCaller | undefined> {
  const [invite, person] = [await book.get(id), await book.get(personId(who))];
  if (!is(inviteKind, invite) || !is(personKind, person)) return undefined;
  const isTheirs = person.state === "active" && invite.outcome?.person === person.id;
  return isTheirs && person.body.owner === invite.body.owner ? known(person.body) : undefined;
}

function known({ owner, principal, scopes: granted }: Person["body"]): LinkedCaller {
  return { owner, by: principal, scopes: granted };
}
