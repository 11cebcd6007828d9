import { DaybookError } from "../../../platform/errors.ts";
import type { Reloaded } from "../ports.ts";

/** Throws what is wrong with settings that were not taken up. */
export function takenUp<More>(answer: Reloaded<More>): Reloaded<More> & { ok: true } {
  if (answer.ok) return answer;
  const { problems } = answer;
  const told = problems.map((line) => `\n${line}`).join("");
  const sentence = `The settings are wrong, so the old ones hold: mend them, and ask again.${told}`;
  throw new DaybookError("invalid", sentence, { details: { problems } });
}
