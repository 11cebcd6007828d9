import { hostname } from "node:os";
import { nagController, passOver, type Pass } from "../features/nags/index.ts";
import { claimable, type Host } from "../kernel/host.ts";

/** Sends the due nags on request, also where no node runs: then a node elsewhere delivers their notifications. */
export function nagPassOver(host: Host): Pass {
  const ports = { ...host, work: host.use(claimable)(host.ledger.work) };
  const holder = `${hostname()}-${process.pid}-${host.random.bits().toString(36)}`;
  const controller = nagController({ ...host, profileNow: host.readProfile });
  return passOver(controller, ports, { holder });
}
