import { cached } from "../platform/cached.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { group } from "../platform/service.ts";
import type { Events } from "./events.ts";
import type { Feature } from "./feature.ts";
import {
  claimable,
  profileSource,
  type Host,
  type Node,
  type NodeHost,
  type NodeIdentity,
} from "./host.ts";
import type { Ledger } from "./ledger.ts";
import { portsFrom, overridePorts, type Ports, type Provision } from "./port.ts";
import { runController, type RuntimeOptions } from "./runtime.ts";

interface HostOptions extends PlatformPorts {
  readonly ledger: Ledger;
  readonly events: Bus<Events>;
  /** The values of ports that come from the settings. */
  readonly provisions: readonly Provision[];
  /** The base URL of this installation over HTTP, if it has one. */
  baseUrl?(): string;
  randomBytes(count: number): Uint8Array;
}

/** A changed profile is read after this long. */
const profileMs = 1_000;

/** The host of the operations and controllers of these features. */
export function hostOf(features: readonly Feature[], options: HostOptions): Host {
  const { provisions, ...rest } = options;
  const readProfile: Host["readProfile"] = (owner, ledger = rest.ledger) =>
    host.use(profileSource)(owner, ledger);
  const host: Host = {
    ...rest,
    readProfile,
    profile: cached(rest.clock, profileMs, readProfile),
    now: () => rest.clock.wall(),
    use: (port) => ports.use(port),
  };
  const ports: Ports = portsFrom([
    ...provisions,
    ...features.flatMap((each) => each.provides?.(host) ?? []),
  ]);
  return host;
}

interface NodeOptions {
  readonly self: NodeIdentity;
  readonly leaseMs: number;
  /** The longest time between two claims, in case a hint is lost. Absent: each controller's own. */
  readonly pollMs?: number | undefined;
  /** Changes how a controller runs, by its name: tests set limits that are small enough to be met. */
  tune?(controller: string, runtime: RuntimeOptions): RuntimeOptions;
}

/** One node: the controllers and services of these features. */
export function nodeOf(features: readonly Feature[], host: Host, options: NodeOptions): Node {
  const { self, leaseMs, pollMs, tune = (_, unchanged) => unchanged } = options;
  const runtime = { holder: self.name, leaseMs, pollMs };
  let ports: Ports = host;
  const node: NodeHost = {
    ...host,
    work: host.use(claimable)(host.ledger.work),
    self,
    runtime,
    use: (port) => ports.use(port),
    run: (controller, more) =>
      runController(controller, node, tune(controller.name, { ...runtime, ...more })),
  };
  const parts = features.flatMap((each) => {
    const part = each.node?.(node) ?? {};
    ports = overridePorts(ports, ...(part.provides ?? []));
    return [part];
  });
  return {
    ...group([
      ...parts.flatMap(({ sensors = [] }) => sensors),
      ...parts.flatMap(({ services = [] }) => services),
    ]),
    use: node.use,
    reloadSettings: () => parts.forEach((part) => part.reloadSettings?.()),
  };
}
