import { version } from "../base/version.ts";
import { httpFace } from "../http/face.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { storeNow } from "../ledger/store-now.ts";
import type { Desk } from "../operations/ask.ts";
import { table } from "../operations/table.ts";
import { findToken, isTokenGood } from "../operations/tokens.ts";
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
