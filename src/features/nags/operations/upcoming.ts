import { recordsIn } from "../../../kernel/list-all.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Upcoming } from "../../notifications/kind-actions.ts";
import { nagKind } from "../kind.ts";
import { nagView, nextOf, shownNag } from "./view.ts";

/** So many are read at most. */
const nagsMax = 10_000;

/** Each once: when it is sent next. What is being sent is a notification already. */
export const upcomingNags: Upcoming<"nags", typeof nagView> = {
  key: "nags",
  view: nagView,
  description: "what is said until it is done, each once: when it is said next",
  async list({ until, look, context }) {
    const book = bookOf(context);
    const query = { kind: nagKind, state: "active", live: true } as const;
    const active = await Array.fromAsync(recordsIn(book, query, nagsMax));
    const found = active.flatMap((nag) => {
      const at = nextOf(nag);
      return at === null || at > until ? [] : [{ at, show: () => shownNag(book, nag, look) }];
    });
    return { found, isCut: false };
  },
  line: ({ title, next: due, target, id }) =>
    due === null ? undefined : { at: due.utc, due, text: `↻ ${title}`, target, id },
};
