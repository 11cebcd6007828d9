import { actionsOf, explainPartsOf, feature, type Feature } from "../../kernel/feature.ts";
import type { TransferPart } from "../../kernel/transfer.ts";
import type { RecordActions } from "../notifications/index.ts";
import { actionsOver } from "./actions.ts";
import { cancelOver } from "./cancel.ts";
import { doneOver } from "./done.ts";
import { explainOver } from "./explain/explain.ts";
import { nextOver } from "./next.ts";
import { pauseEverything, resumeEverything } from "./pauses.ts";
import { reloadConfig } from "./reload-config.ts";
import { simulate } from "./simulate.ts";
import { snoozeOver } from "./snooze.ts";
import { exportOver } from "./transfer/export.ts";
import { importOver } from "./transfer/import.ts";
import { whoami } from "./whoami.ts";

/** A feature whose kinds have actions by an id alone. */
interface WithActions extends Feature {
  readonly actions?: readonly RecordActions[];
}

/** The last feature: the operations across kinds. It dispatches to the actions and explain parts of the others. */
export function bookOf<const Features extends readonly WithActions[]>(features: Features) {
  const actions = actionsOf(features);
  const across = actionsOver(actions);
  const transfers: readonly TransferPart[] = features.flatMap(({ transfers = [] }) => transfers);
  const exportBook = exportOver(transfers);
  const operations = {
    snooze: snoozeOver(across),
    done: doneOver(across),
    cancel: cancelOver(across),
  };
  return feature({
    name: "book",
    kinds: [],
    operations: {
      ...operations,
      next: nextOver(actions),
      explain: explainOver(explainPartsOf(features), actions),
      simulate,
      pauseEverything,
      resumeEverything,
      whoami,
      reloadConfig,
      exportBook,
      importBook: importOver(transfers),
    },
    routes: async (context) =>
      (await import("./transfer/routes.ts")).exportRoutes(context, exportBook),
    chat: async () => (await import("./chat.ts")).bookChat(actions, operations),
    errors: () => import("./errors-ko.ts"),
  });
}

export { isExport } from "./transfer/file.ts";
export { importRefusal, type ImportResult, renderImport } from "./transfer/import.ts";
export { checkEnd, readHead } from "./transfer/read.ts";
export { type Foreseen, type Simulate, simulation } from "./ports.ts";
export { textsOf } from "./texts.ts";
