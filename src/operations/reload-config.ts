import * as z from "zod";
import { DaybookError } from "../base/errors.ts";
import { textsOf } from "../rules/texts/texts.ts";
import { operation } from "./operation.ts";

const keys = z.array(z.string());

export const reloadConfig = operation({
  name: "reload_config",
  words: "Let the daemon read its settings again.",
  input: z.strictObject({}),
  output: z.object({
    changed: keys.describe("the settings that changed, by key"),
    needs_restart: keys.describe("the settings that wait for the daemon's next start"),
  }),
  scope: "admin",
  effect: "changes",
  route: { method: "POST", path: "/v1/config/reload" },
  command: { name: "config reload", positionals: [] },
  tool: "never",
  run(_, { reload }) {
    if (reload === undefined) {
      const sentence =
        "No daemon runs here, and one that starts reads its settings: daybook start.";
      throw new DaybookError("unsupported", sentence);
    }
    const answer = reload();
    if (answer.ok) {
      const { changed, needsRestart } = answer;
      return Promise.resolve({ changed: [...changed], needs_restart: [...needsRestart] });
    }
    const { problems } = answer;
    const told = problems.map((line) => `\n${line}`).join("");
    const sentence = `The settings are wrong, so the old ones hold: mend them, and ask again.${told}`;
    throw new DaybookError("invalid", sentence, { details: { problems } });
  },
  say({ changed, needs_restart: waiting }, { language }) {
    const texts = textsOf(language);
    return [
      texts.settingsChanged(changed),
      ...(waiting.length > 0 ? [texts.settingsWait(waiting)] : []),
    ].join("\n");
  },
});
