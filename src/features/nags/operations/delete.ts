import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { deleted as deletion } from "../change.ts";
import { changeNag, isOver, type Changed } from "./apply-change.ts";
import { nagView, shownNag } from "./view.ts";

const output = nagView.extend({ deleted: z.boolean().describe("false: it had ended before") });
const reason = z.string().max(1_000).optional().describe("why; kept with it");

export const deleteNag = operation({
  name: "delete_nag",
  summary: "Say something no more, though it is not done.",
  input: z.strictObject({ id: fields.id, reason }),
  output,
  scope: "write",
  effect: "ends",
  route: { method: "DELETE", path: "/v1/nags/{id}" },
  command: { name: "nag delete", positionals: ["id"] },
  tool: "on request",
  async run({ id, reason: why }, context): Promise<z.infer<typeof output>> {
    const { record, changed } = await endNag(id, why, context);
    const view = await shownNag(bookOf(context), record, momentOptions(context));
    return { ...view, deleted: changed };
  },
  render({ title: what, state, deleted }, { language }) {
    const texts = textsOf(language);
    return deleted ? texts.nagDeleted(what) : texts.nagWas({ what, state });
  },
});

export function endNag(id: string, why: string | undefined, context: Context): Promise<Changed> {
  return changeNag(id, context, (record) =>
    isOver(record)
      ? undefined
      : { ...deletion(record, why?.trim() || undefined), mark: ({ cancelled }) => cancelled },
  );
}
