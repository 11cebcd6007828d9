import type { Context } from "../../kernel/operation.ts";
import {
  isPingSecret,
  pingHash,
  pingSecret,
  pingSecretBytes,
  pingToken,
  readPingToken,
} from "../schedules/index.ts";

/** The secret part of a feed's address, of which only the hash is kept. */
export function newFeedSecret({ randomBytes }: Pick<Context, "randomBytes">): {
  readonly secret: string;
  readonly secretHash: string;
} {
  const secret = pingSecret(randomBytes(pingSecretBytes));
  return { secret, secretHash: pingHash(secret) };
}

/** The address of a feed: it names the owner too, because a book is found by its owner. */
export function feedUrl({ owner, baseUrl }: Context, id: string, secret: string): string {
  return `${baseUrl?.() ?? ""}/calendars/${pingToken(owner, id, secret)}.ics`;
}

export { isPingSecret as isFeedSecret, readPingToken as readFeedToken };
