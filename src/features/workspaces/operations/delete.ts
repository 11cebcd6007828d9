import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import { deleted } from "../request.ts";
import { textsOf } from "../texts.ts";
import { findWorkspace, isDeleted } from "./find-workspace.ts";
import { workspaceId } from "./inputs.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

export const deleteWorkspace = operation({
  name: "delete_workspace",
  summary: "Keep a workspace no more: its machine and its files go, and later its archives.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView.extend({ deleted: z.boolean().describe("false: it was deleted before") }),
  scope: "write",
  effect: "ends",
  route: { method: "DELETE", path: "/v1/workspaces/{id}" },
  command: { name: "workspace delete", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context) {
    const book = bookOf(context);
    return untilFresh(async () => {
      const record = await findWorkspace(book, id);
      if (isDeleted(record)) return { ...shownWorkspace(record), deleted: false };
      const after = await book.edit(deleted(record, context.now()));
      return { ...shownWorkspace(after), deleted: true };
    });
  },
  render: ({ name }, { language }) => textsOf(language).deleted(name),
});
