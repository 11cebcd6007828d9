import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { harmless } from "../../../platform/text.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { textsOf } from "../texts.ts";
import { findSchedule } from "./find-schedule.ts";
import { scheduleId } from "./inputs.ts";
import { scheduleAliases } from "./seed-names.ts";
import { scheduleView, shownSchedule } from "./view.ts";

export const showSchedule = operation({
  name: "schedule_get",
  summary: "Show one schedule, whole.",
  input: z.strictObject({ id: scheduleId }),
  output: scheduleView,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/schedules/{id}" },
  command: { name: "schedule show", positionals: ["id"] },
  tool: "on request",
  run: async ({ id }, context) =>
    shownSchedule(await findSchedule(bookOf(context), id), momentOptions(context)),
  render(one, { language }) {
    const texts = textsOf(language);
    const { id, name, status: state, reason, target, when, next } = one;
    const count = one.consecutive_failures;
    return [
      texts.headline({ kind: "schedule", id, state, when: null, target }),
      `${name}${reason === null ? "" : ` (${texts.reason(reason)})`}`,
      ...(count === 0 ? [] : [texts.lastFailures(count)]),
      ...Object.entries(one.run).map(([part, value]) => `${part}: ${sayPart(value)}`),
      ...(next.length === 0 ? [when, texts.noFires()] : [texts.fires(when)]),
      ...next.map(({ text }) => `  ${text}`),
    ].join("\n");
  },
});

/** A command as it is typed. */
function sayPart(value: unknown): string {
  if (Array.isArray(value)) return value.map(sayWord).join(" ");
  return typeof value === "string" ? harmless(value) : JSON.stringify(value);
}

function sayWord(word: unknown): string {
  const text = String(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}
