import * as z from "zod";
import { crud } from "../../kernel/crud.ts";
import { feature } from "../../kernel/feature.ts";
import { provide } from "../../kernel/port.ts";
import { runType, runTypes } from "../tasks/index.ts";
import { workspace } from "./kind.ts";
import { needs } from "./machines.ts";
import { waitForWorkspace } from "./waiting.ts";

export { needs as workspacePorts, type Machines } from "./machines.ts";

const { list, show } = crud(workspace, {
  plural: "workspaces",
  view: z.object({ id: z.string(), name: z.string(), state: z.string() }),
  show: ({ id, body, state }) => ({ id, name: body.name, state }),
});

const inWorkspace = runType({
  name: "workspace",
  input: z.strictObject({ argv: z.array(z.string()).min(1) }),
  runnable: () => undefined,
  draft: (input, name) => ({ name: "workspace", input, in: name }),
});

export const workspaces = feature({
  name: "workspaces",
  kinds: [workspace],
  operations: { listWorkspaces: list, showWorkspace: show },
  needs,
  controllers: () => import("./controller.ts"),
  provides: [waitForWorkspace, provide(runTypes, {}, () => inWorkspace)],
});
