import * as z from "zod";
import { parseTarget } from "../../kernel/target.ts";
import { about } from "../../platform/settings/about.ts";
import { language, languageForms } from "../../platform/settings/forms.ts";
import { zone, zoneForm } from "../../time/settings.ts";

export const target = z.string().refine((text) => {
  try {
    return parseTarget(text).channel !== "";
  } catch {
    return false;
  }
});

function timeOfDay(summary: string) {
  const schema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
  return schema.register(about, { summary, write: 'a time of day like "22:00"' });
}

const quiet = z
  .strictObject({
    from: timeOfDay("When quiet hours begin."),
    to: timeOfDay("When quiet hours end."),
  })
  .refine(({ from, to }) => from !== to);

/** The settings of one owner. */
export const owner = z.strictObject({
  timezone: zone.exactOptional().register(about, {
    summary: "The owner's time zone.",
    write: zoneForm,
  }),
  language: language.exactOptional().register(about, {
    summary: "The owner's language.",
    write: languageForms,
  }),
  home: target.exactOptional().register(about, {
    summary: "The default target of the owner's requests outside a chat.",
    write: "a target like ntfy:my-topic",
  }),
  quiet: quiet.exactOptional().register(about, {
    summary: "Hours in which only messages of high priority are sent, in the owner's time zone.",
    write: '{ from: "22:00", to: "07:00" } with two different times',
  }),
});
