import type { Beat } from "../../features/nodes/index.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";

/** Calls the URL of the settings, if one is set. */
export function heartbeatFrom({ heartbeat }: Config, { clock }: PlatformPorts): Beat | undefined {
  if (heartbeat === undefined) return undefined;
  const { url, everyMs } = heartbeat;
  const { host } = new URL(url);
  const fetch = safeFetch({ clock, timeoutMs: 10_000, bytesMax: 64 * 1_024, allowHosts: [host] });
  return {
    everyMs,
    async ping() {
      const { status } = await fetch({ url });
      if (status >= 400) throw new Error(`${host} answered ${status}`);
    },
  };
}
