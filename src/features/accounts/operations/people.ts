import * as z from "zod";
import { findRecord, retryIfStale } from "../../../kernel/book.ts";
import { tooMany } from "../../../kernel/holds.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { type Installation, operation, type Caller } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { fields } from "../../../kernel/schemas.ts";
import { scopes } from "../../../kernel/scope.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { systemOwner } from "../../nodes/index.ts";
import { inviteId, isOpen, readCode, type InviteKind, inviteKind } from "../invite.ts";
import { idColumn, nameColumn, timeColumns } from "../list-columns.ts";
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
import type { WrongCodeLimit } from "./link.ts";
import { systemBook } from "./tokens.ts";

type Person = LedgerRecord<PersonKind>;
type Invite = LedgerRecord<InviteKind>;

const personView = z.object({
  id: z.string(),
  channel: z.string(),
  sender: z.string().describe("the person's id on the channel"),
  name: z.string().describe("the person's display name on the channel"),
  owner: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  linked_at: z.string(),
});

function shownPerson({ id, body, updatedAt }: Person): z.infer<typeof personView> {
  return { id, ...body, scopes: [...body.scopes], linked_at: isoOf(updatedAt) };
}

const columns: readonly Column<z.infer<typeof personView>>[] = [
  idColumn(({ id }) => id),
  nameColumn("sender", (sender) => nameOf(sender)),
  nameColumn("name", ({ name }) => name),
  nameColumn("owner", ({ owner }) => owner),
  ...timeColumns<z.infer<typeof personView>>("linked", (view) => view.linked_at),
];

export const people = listOperation(personKind, {
  plural: "people",
  summary: "List the people linked from chats and the books they may use.",
  scope: "admin",
  tool: "never",
  filters: {},
  example: {},
  book: systemBook,
  query: () => ({ state: "active", order: "oldest" }),
  next: z.string().nullable(),
  view: personView,
  show: shownPerson,
  columns,
  empty: ({ language }) => textsOf(language).noPeople(),
  more: moreLine,
});

export const unlink = operation({
  name: "delete_person",
  summary: "Unlink a person in a chat, whose requests are then refused.",
  input: z.strictObject({ id: fields.id }),
  output: z.object({
    id: z.string(),
    unlinked: z.boolean().describe("false: the person was unlinked before"),
  }),
  scope: "admin",
  example: { id: "d30499a3-109e-8bc7-88c3-59f966b9f1f3" },
  route: { method: "DELETE", path: "/v1/people/{id}" },
  command: { name: "person delete", aliases: ["unlink"], positionals: ["id"] },
  tool: "never",
  async run({ id: typed }, context) {
    const book = systemBook(context);
    return retryIfStale(async () => {
      const { id, state, revision, kind } = await findRecord(book, personKind, typed);
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
  const configured = senders?.(channel).find(({ id }) => id === sender);
  if (configured !== undefined) {
    return { owner: configured.owner, by: nameOf({ channel, sender }), scopes: personScopes };
  }
  const record = await ledger.of(systemOwner, systemOwner).get(personId({ channel, sender }));
  return is(personKind, record) && record.state === "active" ? callerOf(record.body) : undefined;
}

/** Links the sender of an invite's code to the book of the invite. A code works for one sender. */
export async function joinByCode(
  installation: ChatPeople,
  code: string,
  joiner: Joiner,
  limit?: WrongCodeLimit,
): Promise<LinkedCaller> {
  const read = readCode(code);
  const book = installation.ledger.of(systemOwner, nameOf(joiner));
  const invite = read === undefined ? undefined : await book.get(inviteId(read));
  if (is(inviteKind, invite)) {
    const joined = isOpen(invite, installation.now())
      ? await join(book, invite, joiner)
      : await joinedBefore(book, invite, joiner);
    if (joined !== undefined) return joined;
  }
  limit?.count(nameOf(joiner));
  throw new DaybookError(
    "refused",
    "This code is wrong, used or expired: request another, which daybook person invite creates.",
  );
}

type Joiner = Sender & { readonly name: string };

/** Uses the code and links the person in one unit. Undefined if another sender was faster. */
async function join(
  book: Book,
  { id, kind, body: { owner, principal } }: Invite,
  joiner: Joiner,
): Promise<LinkedCaller | undefined> {
  const granted = { owner, principal: principal ?? nameOf(joiner), scopes: personScopes };
  const person = makePerson({ ...joiner, ...granted });
  const { body, holds = [] } = person;
  // An append leaves the record of a person who was linked before unchanged: the edit links them again.
  const relinked = { kind: person.kind, id: person.id, body, holds, state: "active" } as const;
  const used = { kind, id, ends: "used", outcome: { person: person.id } } as const;
  try {
    await book.edit(used, { append: [person], edit: [relinked] });
    return callerOf(body);
  } catch (error) {
    if (hasCode(error, "ended", "stale")) return joinedBefore(book, { id }, joiner);
    throw hasCode(error, "held") ? tooMany(personLimit, owner, error) : error;
  }
}

/** The caller, if this sender used the code before: the first answer may have been lost. */
async function joinedBefore(
  book: Book,
  { id }: Pick<Invite, "id">,
  sender: Sender,
): Promise<LinkedCaller | undefined> {
  const [invite, person] = [await book.get(id), await book.get(personId(sender))];
  if (!is(inviteKind, invite) || !is(personKind, person)) return undefined;
  const isSame = person.state === "active" && invite.outcome?.person === person.id;
  return isSame && person.body.owner === invite.body.owner ? callerOf(person.body) : undefined;
}

function callerOf({ owner, principal, scopes: granted }: Person["body"]): LinkedCaller {
  return { owner, by: principal, scopes: granted };
}
