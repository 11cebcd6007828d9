import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { recovered } from "../request.ts";
import { textsOf } from "../texts.ts";
import { changeWorkspace } from "./change.ts";
import { workspaceId } from "./inputs.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

export const recoverWorkspace = operation({
  name: "recover_workspace",
  summary: "Try a workspace again that is in ERROR, from where it was before.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView,
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/workspaces/{id}/recover" },
  command: { name: "recover", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context) {
    return shownWorkspace((await changeWorkspace(id, context, recovered)).record);
  },
  render: ({ name, display }, { language }) => textsOf(language).recovered({ name, display }),
});
