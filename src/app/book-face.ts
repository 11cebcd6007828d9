import { findToken, isTokenGood } from "../features/accounts/index.ts";
import { table } from "../features/index.ts";
import { httpHandler } from "../interfaces/http/handler.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Installation } from "../kernel/operation.ts";
import { storeNow } from "../kernel/store-clock.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { version } from "../platform/version.ts";
import { nagPass } from "./nag-pass.ts";

type Face = ReturnType<typeof httpHandler>;
type FaceOptions = Parameters<typeof httpHandler>[0];

/** The HTTP face of a book, with what differs between a daemon and a server of somebody else's. */
export function bookFace(
  installation: Installation,
  platform: PlatformPorts,
  more: Pick<FaceOptions, "metrics" | "mcp"> & Partial<FaceOptions>,
): Face {
  return httpHandler({
    ...platform,
    installation,
    operations: table,
    tokens: (token) => findToken(installation, token),
    isTokenGood: (id) => isTokenGood(installation, id),
    version,
    nagPass: nagPass(installation, platform),
    health: { live: () => true, ready: () => isReady(installation.ledger) },
    ...more,
  });
}

/** The store answers. */
async function isReady({ work }: Ledger): Promise<boolean> {
  await storeNow(work);
  return true;
}
