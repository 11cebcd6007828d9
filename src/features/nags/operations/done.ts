import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { finished } from "../change.ts";
import { changeNag, isOver, type Changed } from "./apply-change.ts";
import { nagView, shownNag } from "./view.ts";

const output = nagView.extend({ changed: z.boolean().describe("false: it had ended before") });

export const doneNag = operation({
  name: "done_nag",
  summary: "Say that something is done: it is not said any more.",
  input: z.strictObject({ id: fields.id }),
  output,
  scope: "write",
  effect: "ends",
  route: { method: "POST", path: "/v1/nags/{id}/done" },
  command: { name: "nag done", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context): Promise<z.infer<typeof output>> {
    const { record, changed } = await finish(id, context);
    return { ...(await shownNag(bookOf(context), record, momentOptions(context))), changed };
  },
  render({ title: what, state, changed }, { language }) {
    const texts = textsOf(language);
    return changed ? texts.nagDone(what) : texts.nagWas({ what, state });
  },
});

/** What is done or gone stays as it is. */
export function finish(id: string, context: Context): Promise<Changed> {
  return changeNag(id, context, (record) =>
    isOver(record) ? undefined : { ...finished(record), mark: ({ done }) => done },
  );
}
