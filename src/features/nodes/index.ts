import { feature } from "../../kernel/feature.ts";
import { choreKind } from "./chore.ts";
import { nodeKind } from "./node.ts";
import { pauseKind } from "./pause.ts";

/** Which processes work, and what is paused? */
export const nodes = feature({
  name: "nodes",
  kinds: [choreKind, nodeKind, pauseKind],
  operations: {},
});

export { type Chore, type ChoreMemory, choreKind, chores, forgetOld, planChores } from "./chore.ts";
export { nodeController } from "./controller.ts";
export { type Beat, heartbeat } from "./heartbeat.ts";
export { metrics } from "./metrics.ts";
export { type NodeKind, nodeKind, systemOwner } from "./node.ts";
export {
  type Pause,
  type PauseScope,
  isInForce,
  makePause,
  pausableKinds,
  pauseReader,
  readNewestPauses,
  readPauses,
  restText,
  restedRecord,
  restingKind,
  restingRecord,
  scopeText,
} from "./pause.ts";
export { heldBack } from "./paused-work.ts";
