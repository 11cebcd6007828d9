import type { Bus } from "../platform/event-bus.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { Service } from "../platform/service.ts";
import type { Controller, RuntimePorts } from "./controller.ts";
import type { Events } from "./events.ts";
import type { Ledger, Work } from "./ledger.ts";
import type { Installation } from "./operation.ts";
import { port, type Ports, type Provision } from "./port.ts";
import type { Profile } from "./profile.ts";
import type { RuntimeOptions } from "./runtime.ts";
import type { Shape } from "./shape.ts";

/** What the features of one process run on. */
export interface Host extends Installation, PlatformPorts {
  readonly events: Bus<Events>;
  /** An owner's profile, remembered for a moment: for readers that need it all the time. */
  profile(owner: string): Promise<Profile>;
}

/** A host whose process also works: it claims records and runs services. */
export interface NodeHost extends Host, RuntimePorts {
  readonly self: NodeIdentity;
  readonly runtime: RuntimeOptions;
  /** The loop around a controller on this node. */
  run<K extends Shape, Seen>(
    controller: Controller<K, Seen>,
    options?: Pick<RuntimeOptions, "concurrency" | "lane">,
  ): Service;
}

export interface NodeIdentity {
  /** The holder of its leases; no other process has had this name. */
  readonly name: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
}

/** What one feature does by itself on a node. */
export interface NodePart {
  /** What controllers read, such as the load of the machine: started before all of them. */
  readonly sensors?: readonly Service[];
  /** Started in the order given, after those of the features before. */
  readonly services?: readonly Service[];
  /** What only a process that works has. */
  readonly provides?: readonly Provision[];
  /** The settings have changed. */
  reread?(): void;
}

/** A process that works: every controller of its features, over a ledger that is open. */
export interface Node extends Service, Ports {
  /** The settings have changed. */
  reread(): void;
}

/** Reads an owner's own settings over those of the installation. */
export const profileSource =
  port<(owner: string, ledger: Ledger) => Promise<Profile>>("kernel.profileSource");

/** What of the work may be claimed now: a feature may hold back what is paused. */
export const claimable = port<(work: Work) => Work>("kernel.claimable", (work) => work);
