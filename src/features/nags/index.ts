import { feature } from "../../kernel/feature.ts";
import { nagActions } from "./actions.ts";
import { explainNag } from "./explain.ts";
import { nagKind } from "./kind.ts";
import { nag } from "./operations/create.ts";
import { deleteNag, doneNag, pauseNag, resumeNag, snoozeNag } from "./operations/lifecycle.ts";
import { listNags, showNag } from "./operations/nags.ts";
import { deletePage, listPages, putPage, showPage } from "./operations/pages.ts";
import { pageKind } from "./page.ts";
import { nagsOnNode, nagsProvide } from "./services.ts";
import { syncPull } from "./sync/pull.ts";
import { syncPush } from "./sync/push.ts";
import { transferNag, transferPage } from "./transfer.ts";

/** UNTIL DONE: when is it sent next? */
export const nags = feature({
  name: "nags",
  kinds: [nagKind, pageKind],
  operations: {
    nag,
    listNags,
    showNag,
    snoozeNag,
    doneNag,
    pauseNag,
    resumeNag,
    deleteNag,
    putPage,
    listPages,
    showPage,
    deletePage,
    syncPush,
    syncPull,
  },
  explain: [explainNag],
  actions: [nagActions],
  transfers: [transferPage, transferNag],
  provides: nagsProvide,
  node: nagsOnNode,
  routes: async (context) => (await import("./routes.ts")).reminderRoutes(context),
  chat: async () => (await import("./chat.ts")).nagsChat,
  errors: () => import("./errors-ko.ts"),
});

export { nagController } from "./controller.ts";
export { type Curve, nextTime } from "./curve.ts";
export { minuteOf } from "./free-minute.ts";
export { minuteHold } from "./holds.ts";
export { type NagKind, lastingHolds, nagKind, nagOutcome, nextOf } from "./kind.ts";
export { nextOpenTime } from "./open-hours.ts";
export { type PageKind, pageKind, pageRecordId } from "./page.ts";
export { type Pass, passOver } from "./pass.ts";
export { isComputed } from "./plan.ts";
export { nagPass, namedCurves } from "./ports.ts";
export { type CurvesOption, curves } from "./settings.ts";
export { textsOf } from "./texts.ts";
