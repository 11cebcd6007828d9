import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { harmless } from "../../../platform/text.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { nagKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { nagView, shownNag } from "./view.ts";

export const showNag = operation({
  name: "show_nag",
  summary: "Show one thing that is said until it is done.",
  input: z.strictObject({ id: fields.id }),
  output: nagView,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/nags/{id}" },
  command: { name: "nag show", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context) {
    const book = bookOf(context);
    return shownNag(book, await find(book, nagKind, id), momentOptions(context));
  },
  render({ id, title, state, next, said, curve, target, reason, about }, { language }) {
    const texts = textsOf(language);
    return [
      texts.headline({ kind: "nag", id, state, when: next?.text ?? null, target }),
      `${curve}, ${texts.saidTimes(said)}${reason === null ? "" : ` (${harmless(reason)})`}`,
      "",
      harmless(about.text ?? title),
    ].join("\n");
  },
});
