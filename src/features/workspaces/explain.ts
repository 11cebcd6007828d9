import { explainPart } from "../../kernel/explain.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/index.ts";
import { workspaceKind } from "./kind.ts";
import { errorLines, desiredLine } from "./operations/show.ts";
import { shownWorkspace, workspaceView } from "./operations/view.ts";
import { textsOf } from "./texts.ts";

export const explainWorkspace = explainPart({
  key: "workspace",
  kind: workspaceKind,
  view: workspaceView,
  nullMeaning: "null: it is not a workspace",
  build: async (record) => shownWorkspace(record),
  lines: {
    message({ name, description, image_ref: image }) {
      return `${name} (${image})${description === null ? "" : `: ${oneLine(description, 200)}`}`;
    },
    /** Its desired state and the reason, and its last error. */
    rules: (workspace, _story, { reader }) => [
      desiredLine(workspace, reader),
      textsOf(reader.language).unusedSince(localTime(workspace.last_access_at, reader)),
      ...errorLines(workspace, reader),
    ],
    /** In ERROR nothing happens until a person recovers it. */
    next({ status, name, display, operation, desired_state: desired }, _waits, { language }) {
      const texts = textsOf(language);
      if (status === "ERROR") return texts.recoverAdvice(name);
      return operation === "NONE" ? undefined : texts.plan({ do: operation, display, desired });
    },
  },
});
