import {
  collector,
  collectorMemory,
  directObserver,
  type WorkspacePorts,
  checkRunIn,
} from "../features/workspaces/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { AlwaysHere } from "./keeping.ts";

/** What is asked about workspaces. Where they live is found out when somebody asks: most never do. */
export function workspacePorts(
  ledger: Ledger,
  { clock }: Pick<PlatformPorts, "clock">,
  always: () => AlwaysHere,
): WorkspacePorts {
  const never = (): AbortSignal => new AbortController().signal;
  return {
    get place() {
      return always().machines.place;
    },
    get isLocal() {
      return always().machines.name === "local";
    },
    checkRunIn,
    limits: () => always().settings().limits,
    defaults: (name) => always().defaults(name),
    look: (id) => directObserver(always().machines, clock)(id, never()),
    async collect({ apply, confirm }) {
      const { archives } = always();
      const collecting = collector({ ledger, archives });
      const memory = await collectorMemory(ledger);
      const round = { now: clock.wall(), signal: never(), memory };
      const request = { ...round, isDry: !apply, isConfirmed: confirm };
      const { removed, braked, orphans } = await collecting(request);
      const collected = { remove: removed, orphans, isBraked: braked !== null };
      return braked === null ? collected : { ...collected, why: braked };
    },
  };
}
