import { feature } from "../../kernel/feature.ts";
import { choreKind } from "./chore.ts";
import { nodeKind } from "./node.ts";
import { pauseKind } from "./pause.ts";
import { nodesOnNode, nodesProvide } from "./services.ts";

/** Which processes work, and what is paused? */
export const nodes = feature({
  name: "nodes",
  kinds: [choreKind, nodeKind, pauseKind],
  operations: {},
  provides: nodesProvide,
  node: nodesOnNode,
  errors: () => import("./errors-ko.ts"),
});

export { isNodeAlive } from "./alive.ts";
export { type Chore, type ChoreMemory, choreKind } from "./chore.ts";
export type { Beat } from "./heartbeat.ts";
export { type NodeKind, nodeKind, systemOwner } from "./node.ts";
export {
  type Pause,
  type PauseScope,
  isInForce,
  makePause,
  pausableKinds,
  readNewestPauses,
  readPauses,
  pauseText,
  earlierPauseOf,
  pauseOfKind,
  pauseOfRecord,
  scopeText,
} from "./pause.ts";
export { unpausedWork } from "./paused-work.ts";
export {
  choreRegistry,
  keepMs,
  monitor,
  nodeMetrics,
  nodeSilenceMs,
  processGone,
} from "./ports.ts";
