import { findToken, isTokenGood } from "../features/accounts/operations/tokens.ts";
import { table } from "../features/book/table.ts";
import { httpFace } from "../interfaces/http/face.ts";
import type { Desk } from "../kernel/ask.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { storeNow } from "../kernel/store-now.ts";
import { version } from "../platform/version.ts";
import type { Ground } from "./compose.ts";
import { nagPass } from "./nag-pass.ts";

type Face = ReturnType<typeof httpFace>;
type FaceOptions = Parameters<typeof httpFace>[0];

/** The HTTP face of a book, with what differs between a daemon and a server of somebody else's. */
export function bookFace(
  desk: Desk,
  ground: Ground,
  more: Pick<FaceOptions, "metrics" | "mcp"> & Partial<FaceOptions>,
): Face {
  return httpFace({
    ...ground,
    desk,
    operations: table,
    tokens: (token) => findToken(desk, token),
    isTokenGood: (id) => isTokenGood(desk, id),
    version,
    nagPass: nagPass(desk, ground),
    health: { live: () => true, ready: () => isReady(desk.ledger) },
    ...more,
  });
}

/** The store answers. */
async function isReady({ work }: Ledger): Promise<boolean> {
  await storeNow(work);
  return true;
}
