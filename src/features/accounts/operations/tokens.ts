import * as z from "zod";
import { findRecord } from "../../../kernel/book.ts";
import { appendLimited } from "../../../kernel/holds.ts";
import { is } from "../../../kernel/kind.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import {
  type Installation,
  operation,
  type Caller,
  type Context,
} from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { fields } from "../../../kernel/schemas.ts";
import { scopes } from "../../../kernel/scope.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { idFrom } from "../../../platform/ids.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { canonical, present } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import { parseEnd } from "../../../time/future.ts";
import { systemOwner } from "../../nodes/index.ts";
import { idColumn, nameColumn, timeColumns, wordColumn } from "../list-columns.ts";
import { momentOptions } from "../moment-view.ts";
import { moreLine, textsOf } from "../texts.ts";
import {
  isToken,
  makeToken,
  nameInput,
  ownerInput,
  readScopes,
  tokenBytes,
  tokenFrom,
  tokenId,
  type TokenKind,
  tokenKind,
  tokenLimit,
} from "../token.ts";

const tokenView = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
});

/** Without the hash, which no caller needs. */
function shownToken({
  id,
  by,
  body,
  createdAt,
}: LedgerRecord<TokenKind>): z.infer<typeof tokenView> {
  const { name, owner, principal, scopes: granted, expiresAt } = body;
  const times = { created_at: isoOf(createdAt), created_by: by, expires_at: isoOr(expiresAt) };
  return { id, name, owner, principal, scopes: [...granted], ...times };
}

export const createToken = operation({
  name: "create_token",
  summary: "Create a token for a book.",
  input: z.strictObject({
    name: nameInput.describe("the name of the token"),
    owner: ownerInput,
    principal: nameInput
      .optional()
      .describe("the name of its user in histories. Default: the name of the token"),
    scopes: z
      .union([z.array(z.string()), z.string()])
      .default("read,write")
      .describe(`its scopes with commas between, from ${scopes.join(", ")}. Default: read,write`),
    expires_at: z
      .string()
      .optional()
      .describe("when it expires, written like the time of a reminder. Default: never"),
    key: fields.key,
  }),
  output: tokenView.extend({
    token: z.string().nullable().describe("the token itself; null if it was shown before"),
    fresh: z.boolean().describe("false: an earlier request with this key created it"),
  }),
  scope: "admin",
  effect: "adds",
  example: { name: "laptop", scopes: "read,write" },
  route: { method: "POST", path: "/v1/tokens" },
  command: { name: "token create", positionals: ["name"] },
  tool: "never",
  async run({ name, principal = name, expires_at: end, key, ...request }, context) {
    const owner = ownerOf(request.owner ?? context.owner);
    const expiresAt = end === undefined ? undefined : readExpiry(end, context);
    const token = tokenFrom(context.randomBytes(tokenBytes));
    const granted = { name, owner, principal, scopes: readScopes(request.scopes) };
    const { record, fresh } = await appendLimited(systemBook(context), {
      draft: makeToken(token, present({ ...granted, expiresAt })),
      limit: tokenLimit,
      owner,
      key,
      // All tokens are in one book, but keys of different callers must not meet.
      storedKey: {
        name: idFrom(canonical([context.owner, key ?? ""])),
        asked: present({ ...granted, end }),
      },
    });
    return { ...shownToken(record), token: fresh ? token : null, fresh };
  },
  render({ owner, scopes, token, id }, { language }) {
    const texts = textsOf(language);
    const about = { owner, scopes: scopes.join(", ") };
    if (token === null) return `${texts.tokenCreatedBefore(about)}\n${id}`;
    return `${texts.tokenCreated(about)}\n${token}\n${id}`;
  },
});

const columns: readonly Column<z.infer<typeof tokenView>>[] = [
  idColumn(({ id }) => id),
  nameColumn("name", ({ name }) => name),
  nameColumn("owner", ({ owner }) => owner),
  wordColumn("scopes", ({ scopes: granted }) => granted.join(", ")),
  ...timeColumns<z.infer<typeof tokenView>>("expires", ({ expires_at: end }) => end),
];

export const listTokens = listOperation(tokenKind, {
  plural: "tokens",
  summary: "List tokens, their books and their scopes.",
  scope: "admin",
  tool: "never",
  filters: {},
  example: {},
  book: systemBook,
  query: () => ({ live: true, order: "oldest" }),
  next: z.string().nullable(),
  view: tokenView,
  show: shownToken,
  columns,
  empty: ({ language }) => textsOf(language).noTokens(),
  more: moreLine,
});

export const revokeToken = operation({
  name: "revoke_token",
  summary: "Revoke a token.",
  input: z.strictObject({ id: fields.id }),
  output: z.object({
    id: z.string(),
    revoked: z.boolean().describe("false: it was revoked before"),
  }),
  scope: "admin",
  example: { id: "a45d82b0-4c32-8df5-bf67-4b05d1b1d773" },
  route: { method: "DELETE", path: "/v1/tokens/{id}" },
  command: { name: "token revoke", positionals: ["id"] },
  tool: "never",
  async run({ id: typed }, context) {
    const book = systemBook(context);
    const { id } = await findRecord(book, tokenKind, typed);
    const { result } = await book.cancel({ id });
    return { id, revoked: result === "cancelled" };
  },
  render: (_, { language }) => textsOf(language).tokenRevoked(),
});

/** The caller with this token; undefined if it is unknown, revoked or expired. */
export async function findToken(installation: Tokens, token: string): Promise<Caller | undefined> {
  const record = await liveToken(installation, tokenId(token));
  if (record === undefined || !isToken(token, record.body)) return undefined;
  const { owner, principal, scopes: granted } = record.body;
  return { owner, by: principal, scopes: granted, origin: null, token: record.id };
}

/** Whether the token with this id exists, is not revoked and has not expired. */
export async function isTokenGood(installation: Tokens, id: string): Promise<boolean> {
  return (await liveToken(installation, id)) !== undefined;
}

type Tokens = Pick<Installation, "ledger" | "now">;

async function liveToken(
  { ledger, now }: Tokens,
  id: string,
): Promise<LedgerRecord<TokenKind> | undefined> {
  const record = await ledger.of(systemOwner, systemOwner).get(id);
  if (!is(tokenKind, record) || record.endedAt !== null) return undefined;
  return now() < (record.body.expiresAt ?? Infinity) ? record : undefined;
}

export function systemBook({ ledger, by }: Context): ReturnType<Context["ledger"]["of"]> {
  return ledger.of(systemOwner, by);
}

/** Refuses the system's own book: the tokens themselves are in it. */
export function ownerOf(owner: string): string {
  if (owner !== systemOwner) return owner;
  throw new DaybookError(
    "refused",
    `The book of ${quote(owner)} is the system's own: choose another.`,
  );
}

function readExpiry(text: string, context: Context): number {
  const options = momentOptions(context);
  const { at } = parseEnd(text, options);
  if (at > options.now) return at;
  const sentence = `The expiry time ${quote(text)} has passed already: choose a later one.`;
  throw new DaybookError("invalid", sentence);
}
