import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { echo, parseTime } from "../../../time/times.ts";
import { momentOptions, type MomentOptions } from "../../accounts/moment-view.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { snoozed, type Later } from "../change.ts";
import { changeNag, going, type Changed } from "./apply-change.ts";
import { nagView, shownNag } from "./view.ts";

const output = nagView.extend({
  assumed: z.string().optional().describe("what the time did not say and was taken"),
});

export const snoozeNag = operation({
  name: "snooze_nag",
  summary: "Say it next at another time, and go on from there.",
  input: z.strictObject({ id: fields.id, at: fields.at, timezone: fields.timezone }),
  output,
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/nags/{id}/snooze" },
  command: { name: "nag snooze", positionals: ["id", "at"] },
  tool: "on request",
  async run({ id, at: atText, timezone }, context): Promise<z.infer<typeof output>> {
    const look = momentOptions(context, timezone);
    const { at, assumed } = parseTime(atText, look);
    const { record } = await putOff(id, { at, atText }, { look, context });
    const view = await shownNag(bookOf(context), record, { ...look, assumed });
    return { ...view, ...(assumed === undefined ? {} : { assumed }) };
  },
  render({ id, title: what, next }, { language }) {
    const texts = textsOf(language);
    const past = next?.past === true ? [texts.pastSoAtOnce()] : [];
    return [texts.nagPutOff({ what, when: next?.text ?? "" }), ...past, id].join("\n");
  },
});

/** One that rests goes on by it. */
export function putOff(
  id: string,
  later: Later,
  { look, context }: { look: MomentOptions; context: Context },
): Promise<Changed> {
  const { text } = echo(later.at, look);
  return changeNag(id, context, (record) => ({
    ...snoozed(going(record, "put off"), later),
    mark: (marks) => marks.snoozed(text),
  }));
}
