import type * as z from "zod";
import { oneLine } from "../../rules/text.ts";
import { alwaysIn } from "../../rules/texts/always.ts";
import { inWords } from "../../rules/times.ts";
import { fromIso } from "../notification-view.ts";
import type { Reader } from "../operation.ts";
import type { Workspace } from "../workspaces/find-workspace.ts";
import { faultLines, wantedLine } from "../workspaces/show.ts";
import { shownWorkspace, workspaceView } from "../workspaces/workspace-view.ts";
import type { Explained } from "./view.ts";

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
