import { DaybookError } from "../../platform/errors.ts";
import type { CommandEntry, Typed } from "./command.ts";
import { isPositional } from "./inputs.ts";

/**
 * What is wrong is said of inputs and settings by their names: here they were flags. Values stand in quotes too, so a
 * name is taken for an input only where a sentence is about it, and never where it was typed as a value.
 */
export function inFlags(
  error: unknown,
  { inputs }: CommandEntry,
  { input }: Pick<Typed, "input">,
): unknown {
  if (!(error instanceof DaybookError) || error.code !== "invalid") return error;
  const values = new Set(Object.values(input).flat());
  let sentence = error.message;
  for (const each of inputs.filter(({ kind }) => kind !== "rest")) {
    const { name, label, within, aliases } = each;
    if (isPositional(each)) continue;
    for (const key of aliases) sentence = sentence.replaceAll(`--${key} is`, `${label} is`);
    if (values.has(name)) continue;
    for (const said of [name, `${within}.${name}`]) {
      sentence = sentence.replaceAll(aboutInput(said), label);
    }
  }
  const { code, details, cause } = error;
  return new DaybookError(code, sentence, { details, cause });
}

/** Where a sentence begins, or goes on with another input; or what it says that is to be said. */
function aboutInput(name: string): RegExp {
  const quoted = `"${RegExp.escape(name)}"`;
  const begins = `(?<=^|; |\\band )${quoted}(?= (?:and|is|must|say|takes)\\b)`;
  return new RegExp(`${begins}|(?<=\\bsay )${quoted}`, "g");
}
