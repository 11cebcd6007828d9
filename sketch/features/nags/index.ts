import { feature } from "../../kernel/feature.ts";
import { explainNag, nagActions } from "./explain.ts";
import { nag } from "./kind.ts";
import { cancel, createNag, doneNag, list, pause, resume, show } from "./operations.ts";
import { curves } from "./settings.ts";

export { nag, type NagKind } from "./kind.ts";

export const nags = feature({
  name: "nags",
  kinds: [nag],
  operations: {
    nag: createNag,
    listNags: list,
    showNag: show,
    doneNag,
    pauseNag: pause,
    resumeNag: resume,
    deleteNag: cancel,
  },
  controllers: () => import("./controller.ts"),
  settings: curves,
  explain: [explainNag],
  actions: [nagActions],
});
