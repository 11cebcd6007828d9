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
