import type * as z from "zod";
import type { Reader } from "../../kernel/operation.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords } from "../../time/times.ts";
import type { Explained } from "../book/explain/view.ts";
import { alwaysIn } from "../texts/always.ts";
import type { Workspace } from "./operations/find-workspace.ts";
import { faultLines, wantedLine } from "./operations/show.ts";
import { shownWorkspace, workspaceView } from "./operations/view.ts";

export const explainedWorkspace = workspaceView;

export function aboutWorkspace(record: Workspace): z.infer<typeof explainedWorkspace> {
  return shownWorkspace(record);
}

/** What it is called and what it is for. */
export function workspaceMessage({ workspace }: Explained): string | null {
  if (workspace === null) return null;
  const { name, description, image_ref: image } = workspace;
  return `${name} (${image})${description === null ? "" : `: ${oneLine(description, 200)}`}`;
}

/** What it should be and why, and what went wrong. */
export function workspaceRules({ workspace }: Explained, reader: Reader): string[] {
  if (workspace === null) return [];
  const { language, zone } = reader;
  const used = inWords(fromIso(workspace.last_access_at), zone, language);
  return [
    wantedLine(workspace, reader),
    alwaysIn(language).unusedSince(used),
    ...faultLines(workspace, reader),
  ];
}

/** In ERROR nothing is next until somebody does something. */
export function workspaceNext({ workspace }: Explained, { language }: Reader): string | undefined {
  if (workspace === null) return undefined;
  const texts = alwaysIn(language);
  const { status, name, display, operation, desired_state: desired } = workspace;
  if (status === "ERROR") return texts.recoverAdvice(name);
  if (operation !== "NONE") return texts.plan({ do: operation, display, desired });
  return undefined;
}
