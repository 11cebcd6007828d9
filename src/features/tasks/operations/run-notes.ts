import type { Language } from "../../../platform/language.ts";
import type { MissingWorkspace } from "../ports.ts";
import { textsOf } from "../texts.ts";

interface RunNotes {
  readonly unknown_task?: string | undefined;
  readonly missing_workspace?: MissingWorkspace | undefined;
}

/** The lines on what is to run: that no program here has its task, and that its workspace does not exist yet. */
export function runNotes(
  { unknown_task: task, missing_workspace: created }: RunNotes,
  language: Language,
) {
  const texts = textsOf(language);
  return [
    ...(task === undefined ? [] : [texts.noRunner(task)]),
    ...(created === undefined ? [] : [texts.missingWorkspace(created)]),
  ];
}
