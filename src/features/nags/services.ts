import type { NodeHost, NodePart } from "../../kernel/host.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { profileChange } from "../accounts/index.ts";
import { nagController, nagsAtOnce } from "./controller.ts";
import { nagWakes } from "./profile-change.ts";

export function nagsProvide(): readonly Provision[] {
  return [provide(profileChange, () => nagWakes)];
}

export function nagsOnNode(host: NodeHost): NodePart {
  const controller = nagController({ ...host, profileNow: host.readProfile });
  return { services: [host.run(controller, { concurrency: nagsAtOnce })] };
}
