import type { Bus } from "../platform/event-bus.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { ProcessIdentity } from "../platform/process-identity.ts";
import type { Service } from "../platform/service.ts";
import type { Controller, RuntimePorts } from "./controller.ts";
import type { Events } from "./events.ts";
import type { Ledger, Work } from "./ledger.ts";
import type { Installation } from "./operation.ts";
import { port, type Ports, type Provision } from "./port.ts";
import type { Profile } from "./profile.ts";
import type { RuntimeOptions } from "./runtime.ts";
import type { Shape } from "./shape.ts";

/** The ledger, the clock and the ports that the features of one process use. */
export interface Host extends Installation, PlatformPorts {
  readonly events: Bus<Events>;
  /** An owner's profile, cached for a second: for callers that read it often. */
  profile(owner: string): Promise<Profile>;
}

/** A host whose process also claims records and runs services. */
export interface NodeHost extends Host, RuntimePorts {
  readonly self: NodeIdentity;
  readonly runtime: RuntimeOptions;
  /** The loop around a controller on this node. */
  run<K extends Shape, Seen>(
    controller: Controller<K, Seen>,
    options?: Pick<RuntimeOptions, "concurrency" | "lane" | "isOnDemand">,
  ): Service;
}

export interface NodeIdentity {
  /** The holder of its leases. No other process ever has this name. */
  readonly name: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** Absent where processes cannot be told apart. */
  readonly process?: ProcessIdentity;
}

/** One feature's part of a node. */
export interface NodePart {
  /** Measurements for controllers, such as the load of the machine; started before all services. */
  readonly sensors?: readonly Service[];
  /** Started in the order given, after those of the features before. */
  readonly services?: readonly Service[];
  /** Values of ports that only a node has. */
  readonly provides?: readonly Provision[];
  /** Called when the settings have changed. */
  reloadSettings?(): void;
}

/** The controllers and services of all features, over an open ledger. */
export interface Node extends Service, Ports {
  /** To be called when the settings have changed. */
  reloadSettings(): void;
}

/** Reads an owner's own settings over those of the installation. */
export const profileSource =
  port<(owner: string, ledger: Ledger) => Promise<Profile>>("kernel.profileSource");

/** The work that may be claimed now: a feature may hold back paused work. */
export const claimable = port<(work: Work) => Work>("kernel.claimable", (work) => work);
