import { ledgerPort } from "../../kernel/node.ts";
import { provide } from "../../kernel/port.ts";
import { draft, edit } from "../../kernel/unit.ts";
import { workspacesPort, type Workspaces } from "../tasks/index.ts";
import { workspace } from "./kind.ts";

/** How a task waits for a workspace: it is written into it, and woken by the settle that sees it run. */
export const waitForWorkspace = provide(
  workspacesPort,
  { ledger: ledgerPort },
  ({ ledger }): Workspaces => ({
    async look({ id, owner, by, lease }, name) {
      const live = await ledger.of(owner, by).list({ kind: workspace, live: true });
      const found = live.find(({ body }) => body.name === name);
      const wakeAt = lease.claimedAt;
      if (found === undefined) {
        const holds = [`workspace:${owner}:${name}`];
        const made = draft(workspace, {
          body: { name, waiting: [id] },
          state: "pending",
          wakeAt,
          parent: null,
          holds,
        });
        return { is: "down", consequences: { append: [made] } };
      }
      if (found.state === "running") return { is: "up", id: found.id };
      const body = { ...found.body, waiting: [...found.body.waiting, id] };
      const change = edit(workspace, { id: found.id, ifRevision: found.revision, body, wakeAt });
      return { is: "down", consequences: { edit: [change] } };
    },
  }),
);
