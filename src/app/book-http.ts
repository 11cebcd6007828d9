import { findToken, isTokenGood } from "../features/accounts/index.ts";
import { features, table } from "../features/index.ts";
import { httpHandler } from "../interfaces/http/handler.ts";
import type { Host } from "../kernel/host.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { storeNow } from "../kernel/store-clock.ts";
import { version } from "../platform/version.ts";
import { errorTexts } from "./error-texts.ts";

type HttpOptions = Parameters<typeof httpHandler>[0];

/** The HTTP handler of a book, in a daemon or in the server of another program. */
export function bookHttp(
  host: Host,
  more: Pick<HttpOptions, "metrics" | "mcp"> & Partial<HttpOptions>,
): ReturnType<typeof httpHandler> {
  const { clock, log } = host;
  return httpHandler({
    clock,
    log,
    installation: host,
    operations: table,
    features,
    tokens: (token) => findToken(host, token),
    isTokenGood: (id) => isTokenGood(host, id),
    errorsIn: errorTexts(),
    version,
    health: { live: () => true, ready: () => isReady(host.ledger) },
    ...more,
  });
}

/** The store answers. */
async function isReady({ work }: Ledger): Promise<boolean> {
  await storeNow(work);
  return true;
}
