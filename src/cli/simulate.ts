import type { Reader } from "../operations/operation.ts";
import { oneLine } from "../rules/text.ts";
import { inWords } from "../rules/times.ts";
import { exits, type Command } from "./command.ts";
import { input } from "./inputs.ts";
import { textsOf } from "./texts.ts";

/** What would happen, and how the owner reads it. */
export interface Foresight {
  readonly lines: readonly {
    readonly at: number;
    readonly what: "say" | "run";
    readonly text: string;
    readonly target: string;
    readonly id: string;
    readonly dayHours: number | null;
  }[];
  /** There is more than is shown. */
  readonly isCut: boolean;
  readonly reader: Reader;
}

export const simulate: Command = {
  name: "simulate",
  words: "Show all that would be said and run until a time. Nothing happens.",
  inputs: [
    input("--from", 'where it begins, such as "tomorrow"; now when absent'),
    input("--to", 'where it ends, such as "+7d"; a week after now when absent'),
  ],
  hasJson: true,
  async run({ input: { from, to }, json }, ports) {
    const foresight = await ports.simulate(text(from) ?? "now", text(to) ?? "+7d");
    ports.out(json ? JSON.stringify(asData(foresight)) : say(foresight));
    return exits.done;
  },
};

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function asData({ lines, isCut }: Foresight): object {
  const shown = lines.map(({ at, dayHours, ...line }) => ({
    at: Temporal.Instant.fromEpochMilliseconds(at).toString(),
    ...line,
    day_hours: dayHours,
  }));
  return { lines: shown, cut: isCut };
}

function say({ lines, isCut, reader: { language, zone } }: Foresight): string {
  const texts = textsOf(language);
  if (lines.length === 0) return texts.nothingForeseen;
  const said = lines.map(({ at, what, text: words, target, dayHours }) => {
    const when = inWords(at, zone, language);
    const clocks = dayHours === null ? "" : `  ${texts.clocksChange(dayHours)}`;
    return `${when}  ${texts.foreseen[what]}  ${oneLine(words, 60)} → ${target}${clocks}`;
  });
  return [...said, ...(isCut ? [texts.moreForeseen(lines.length)] : [])].join("\n");
}
