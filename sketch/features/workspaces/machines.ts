import { port } from "../../kernel/port.ts";

/** Where workspaces run: an adapter for Docker, Kubernetes or this machine. */
export interface Machines {
  start(id: string): Promise<void>;
  isRunning(id: string): Promise<boolean>;
}

export const needs = { machines: port<Machines>("workspaces.machines") };
