import { port, registry } from "../../kernel/port.ts";
import { isProcessGone } from "../../platform/process-identity.ts";
import type { Chore } from "./chore.ts";
import type { Beat } from "./heartbeat.ts";
import { silenceMs } from "./node.ts";
import type { IsProcessGone } from "./takeover.ts";

/** How long records are kept after their end. */
export const keepMs = port<number>("nodes.keepMs", 90 * 86_400_000);

/** A node is lost when it has not been seen for this long. */
export const nodeSilenceMs = port<number>("nodes.silenceMs", silenceMs);

/** Whether a process of this machine is gone; false when nobody can tell. */
export const processGone = port<IsProcessGone>("nodes.processGone", isProcessGone);

/** The monitor to report to while this node is well; undefined where none is set. */
export const monitor = port<Beat | undefined>("nodes.monitor", undefined);

/** The periodic work of all features. */
export const choreRegistry = registry<Chore>("nodes.chores");

/** What a node counted so far, in Prometheus' text format. */
export const nodeMetrics = port<() => Promise<string>>("nodes.metrics");
