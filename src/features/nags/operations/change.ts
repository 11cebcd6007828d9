import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { textsOf } from "../../texts/texts.ts";
import { paused, resumed } from "../change.ts";
import { changeNag, going } from "./apply-change.ts";
import { nagView, shownNag, stateOf } from "./view.ts";

const output = nagView.extend({ changed: z.boolean().describe("false: it was so before") });

export const pauseNag = operation({
  name: "pause_nag",
  summary: "Let something rest that is said until it is done.",
  input: z.strictObject({ id: fields.id }),
  output,
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/nags/{id}/pause" },
  command: { name: "nag pause", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context): Promise<z.infer<typeof output>> {
    const { record, changed } = await changeNag(id, context, (read) =>
      stateOf(going(read, "paused")) === "paused"
        ? undefined
        : { ...paused(read), mark: (marks) => marks.paused },
    );
    return { ...(await shownNag(bookOf(context), record, momentOptions(context))), changed };
  },
  render: ({ title: what, id }, { language }) => textsOf(language).nagPaused({ what, id }),
});

export const resumeNag = operation({
  name: "resume_nag",
  summary: "Let something be said again until it is done.",
  input: z.strictObject({ id: fields.id }),
  output,
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/nags/{id}/resume" },
  command: { name: "nag resume", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context): Promise<z.infer<typeof output>> {
    const { record, changed } = await changeNag(id, context, (read) =>
      stateOf(going(read, "resumed")) === "active" ? undefined : resumed(read, context.now()),
    );
    return { ...(await shownNag(bookOf(context), record, momentOptions(context))), changed };
  },
  render: ({ title: what, next }, { language }) =>
    textsOf(language).nagResumed({ what, when: next?.text ?? null }),
});
