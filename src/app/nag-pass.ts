import { hostname } from "node:os";
import { profileReader } from "../features/accounts/profile.ts";
import { nagController } from "../features/nags/controller.ts";
import { passOver, type Pass } from "../features/nags/pass.ts";
import { pauseReader } from "../features/nodes/pause.ts";
import { heldBack } from "../features/nodes/paused-work.ts";
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
