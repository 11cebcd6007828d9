import { hostname } from "node:os";
import { profileReader } from "../features/accounts/index.ts";
import { nagController, passOver, type Pass } from "../features/nags/index.ts";
import { pauseReader, heldBack } from "../features/nodes/index.ts";
import type { Installation } from "../kernel/operation.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { heard } from "./compose.ts";

/** Says what is due when somebody calls for it, also where no node runs: then a node elsewhere delivers it. */
export function nagPass(
  { ledger, readProfile: profileNow }: Installation,
  platform: PlatformPorts,
): Pass {
  const profile = profileReader(profileNow, platform.clock);
  const work = heldBack(ledger.work, pauseReader(ledger, platform.clock), platform.clock);
  const ports = { ...platform, work, events: heard(platform.log, undefined) };
  const holder = `${hostname()}-${process.pid}-${platform.random.bits().toString(36)}`;
  return passOver(nagController({ ledger, profile, profileNow }), ports, { holder });
}
