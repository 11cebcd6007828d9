import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { is } from "../../kernel/kind.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { outputReader } from "../notifications/index.ts";
import { completeOutput } from "./complete-output.ts";
import { taskController } from "./controller.ts";
import { taskKind } from "./kind.ts";
import { nodeRunners, runHooks, taskWorkspaces } from "./ports.ts";
import { permits } from "./rate.ts";

/** The most runs of one name on one node. */
const runsAtOnce = 64;

export function tasksProvide({ ledger }: Host): readonly Provision[] {
  return [
    provide(outputReader, () => async ({ owner, by, parent }) => {
      if (parent === null) return undefined;
      const book = ledger.of(owner, by);
      if (!is(taskKind, await book.get(parent))) return undefined;
      return completeOutput(book, parent);
    }),
  ];
}

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
