import { hostname } from "node:os";
import { heldBack } from "../controllers/held-back.ts";
import { nagger } from "../controllers/nagger.ts";
import { passOver, type Pass } from "../controllers/pass.ts";
import { pauseReader } from "../ledger/pauses.ts";
import { type Profile, profileReader, readProfile } from "../ledger/profiles.ts";
import type { Desk } from "../operations/ask.ts";
import { heard, type Ground } from "./compose.ts";

/** Says what is due when somebody calls for it, also where no node runs: then a node elsewhere delivers it. */
export function nagPass({ ledger, defaults }: Desk, ground: Ground): Pass {
  const profile = profileReader(ledger, defaults, ground.clock);
  const profileNow = (owner: string): Promise<Profile> => readProfile(ledger, owner, defaults);
  const work = heldBack(ledger.work, pauseReader(ledger, ground.clock), ground.clock);
  const ports = { ...ground, work, events: heard(ground.log, undefined) };
  const holder = `${hostname()}-${process.pid}-${ground.random.bits().toString(36)}`;
  return passOver(nagger({ ledger, profile, profileNow }), ports, { holder });
}
