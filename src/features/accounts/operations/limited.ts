import type { Shape } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf, Follows, Key } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { ownerPlace, perOwnerMax, type Limited } from "../../notifications/holds.ts";

type LimitedShape = Shape & { readonly name: Limited };

interface Asked<K extends LimitedShape> {
  readonly draft: DraftOf<K>;
  /** Whose place it takes. */
  readonly owner: string;
  /** The key as it was typed. */
  readonly key: string | undefined;
  /** What the key stands for, and its name in the book. */
  readonly stands: Key;
  /** Written with it, unless it was asked before. */
  readonly follows?: Follows;
}

export interface Made<K extends LimitedShape> {
  readonly record: LedgerRecord<K>;
  /** False: it had been asked before with the same key. */
  readonly fresh: boolean;
}

/** Writes what an owner may have only so many of. With a key that was used before it is the first one. */
export async function appendLimited<K extends LimitedShape>(
  book: Book,
  { draft, owner, key, stands, follows }: Asked<K>,
): Promise<Made<K>> {
  const { kind } = draft;
  const placed = { ...draft, holds: [ownerPlace(kind, owner)] };
  try {
    const whole = key === undefined ? placed : { ...placed, key: stands };
    const { id, record, fresh } = await book.append<K>(whole, follows);
    if (record !== null && record.endedAt === null) return { record, fresh };
    throw gone(kind, id);
  } catch (error) {
    throw told(error, { kind, owner, key });
  }
}

function gone(kind: Limited, id: string): DaybookError {
  const sentence = `The ${kind} that was made with this key, ${id}, has ended: choose another key.`;
  return new DaybookError("ended", sentence, { details: { id } });
}

function told(
  error: unknown,
  { kind, owner, key = "" }: { kind: Limited; owner: string; key: string | undefined },
): unknown {
  if (hasCode(error, "held")) return tooMany(kind, owner, error);
  if (hasCode(error, "conflict")) {
    const { details } = error;
    const sentence = `The key ${quote(key)} stands for another ${kind}, ${String(details["id"])}: choose another key.`;
    return new DaybookError("conflict", sentence, { cause: error, details });
  }
  return error;
}

export function tooMany(kind: Limited, owner: string, cause: DaybookError): DaybookError {
  const limit = perOwnerMax[kind];
  const sentence = `The book of ${quote(owner)} has ${limit} ${names[kind]}, and may not have more: ${advice[kind]}.`;
  return new DaybookError("held", sentence, { cause, details: { limit } });
}

const names: Readonly<Record<Limited, string>> = {
  webhook: "webhooks",
  token: "tokens",
  invite: "open codes",
  person: "people in chats",
  subscription: "subscriptions",
};

const advice: Readonly<Record<Limited, string>> = {
  webhook: "remove one first",
  token: "revoke one first; those that are over count too",
  invite: "use one, or wait until they are over, which takes 15 minutes",
  person: "unlink one first",
  subscription: "delete one first",
};
