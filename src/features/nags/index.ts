import { feature } from "../../kernel/feature.ts";
import { nagActions } from "./actions.ts";
import { explainNag } from "./explain.ts";
import { nagKind } from "./kind.ts";
import { nag } from "./operations/create.ts";
import { deleteNag } from "./operations/delete.ts";
import { doneNag } from "./operations/done.ts";
import { listNags } from "./operations/list.ts";
import { deletePage, listPages, putPage, showPage } from "./operations/pages.ts";
import { pauseNag, resumeNag } from "./operations/pause.ts";
import { showNag } from "./operations/show.ts";
import { snoozeNag } from "./operations/snooze.ts";
import { pageKind } from "./page.ts";
import { syncPull } from "./sync/pull.ts";
import { syncPush } from "./sync/push.ts";

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
});
