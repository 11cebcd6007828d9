import type { NodeHost, NodePart } from "../../kernel/host.ts";
import { taskController } from "./controller.ts";
import { nodeRunners, runHooks, taskWorkspaces } from "./ports.ts";
import { permits } from "./rate.ts";

/** The most runs of one name on one node. */
const runsAtOnce = 64;

export function tasksOnNode(host: NodeHost): NodePart {
  const options = { ...host, hooks: host.use(runHooks), workspaces: host.use(taskWorkspaces) };
  return {
    services: [
      host.run(permits),
      ...host.use(nodeRunners).map((runner) =>
        host.run(taskController(runner, options), {
          concurrency: Math.min(runner.concurrency ?? runsAtOnce, runsAtOnce),
        }),
      ),
    ],
  };
}
