import type { Language } from "../../platform/language.ts";
import { inWords, type Look } from "../times.ts";
import { inZone } from "../zone.ts";
import { cronInWords } from "./cron-words.ts";
import { readCron } from "./cron.ts";
import { patternOfCron, patternOfRule } from "./pattern.ts";
import { readRule } from "./rrule.ts";
import type { Cadence } from "./shape.ts";
import { voices } from "./voices.ts";

/** A cadence as one sentence, with the zone whose clocks it follows; a moment follows the reader's. */
export function say(cadence: Cadence, { zone, language }: Omit<Look, "now">): string {
  switch (cadence.type) {
    case "once":
      return `${voices[language].once(inWords(cadence.at, zone, language))} (${zone})`;
    case "interval":
      return voices[language].interval(cadence.everyMs);
    case "cron":
      return `${sayCron(cadence.expression, language)} (${cadence.zone})`;
    case "rrule":
      return `${sayRule(cadence, language)} (${cadence.zone})`;
  }
}

function sayCron(expression: string, language: Language): string {
  const cron = readCron(expression);
  const pattern = patternOfCron(cron);
  return pattern === undefined ? cronInWords(cron, language) : voices[language].pattern(pattern);
}

function sayRule(
  { rule, start, zone }: Extract<Cadence, { type: "rrule" }>,
  language: Language,
): string {
  const voice = voices[language];
  const read = readRule(rule);
  const local = inZone(start, zone);
  const pattern = patternOfRule(read, local);
  if (pattern === undefined) return voice.rule(rule);
  const { count, until } = read;
  const date = until?.replace(/^(\d{4})(\d\d)(\d\d).*$/, "$1-$2-$3");
  return `${voice.pattern(pattern)}${count === undefined ? "" : voice.times(count)}${date === undefined ? "" : voice.until(date)}`;
}
