import { explainPart } from "../../kernel/explain.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/index.ts";
import { workspaceKind } from "./kind.ts";
import { faultLines, wantedLine } from "./operations/show.ts";
import { shownWorkspace, workspaceView } from "./operations/view.ts";
import { textsOf } from "./texts.ts";

export const explainWorkspace = explainPart({
  key: "workspace",
  kind: workspaceKind,
  view: workspaceView,
  nullMeaning: "null: it is no workspace",
  build: async (record) => shownWorkspace(record),
  lines: {
    message({ name, description, image_ref: image }) {
      return `${name} (${image})${description === null ? "" : `: ${oneLine(description, 200)}`}`;
    },
    /** What it should be and why, and what went wrong. */
    rules: (workspace, _story, { reader }) => [
      wantedLine(workspace, reader),
      textsOf(reader.language).unusedSince(localTime(workspace.last_access_at, reader)),
      ...faultLines(workspace, reader),
    ],
    /** In ERROR nothing is next until somebody does something. */
    next({ status, name, display, operation, desired_state: desired }, _waits, { language }) {
      const texts = textsOf(language);
      if (status === "ERROR") return texts.recoverAdvice(name);
      return operation === "NONE" ? undefined : texts.plan({ do: operation, display, desired });
    },
  },
});
