import * as z from "zod";
import { operation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { takenUp, reloadSettings } from "../schedules/index.ts";
import { textsOf } from "./texts.ts";

const keys = z.array(z.string());

export const reloadConfig = operation({
  name: "reload_config",
  summary: "Let the daemon read its settings again.",
  input: z.strictObject({}),
  output: z.object({
    changed: keys.describe("the settings that changed, by key"),
    needs_restart: keys.describe("the settings that wait for the daemon's next start"),
  }),
  scope: "admin",
  example: {},
  route: { method: "POST", path: "/v1/config/reload" },
  command: { name: "config reload", positionals: [] },
  tool: "never",
  async run(_, context) {
    const reload = context.use(reloadSettings);
    if (reload === undefined) {
      const sentence =
        "No daemon runs here, and one that starts reads its settings: daybook start.";
      throw new DaybookError("unsupported", sentence);
    }
    const { changed, needsRestart, refused } = takenUp(await reload());
    const answer = { changed: [...changed], needs_restart: [...needsRestart] };
    if (refused === undefined) return answer;
    const sentence = `The settings are taken up, but schedules in them were refused, so theirs stay as they were: mend them, and ask again.\n${refused.message}`;
    throw new DaybookError(refused.code, sentence, { cause: refused, details: answer });
  },
  render({ changed, needs_restart: waiting }, { language }) {
    const texts = textsOf(language);
    return [
      texts.settingsChanged(changed),
      ...(waiting.length > 0 ? [texts.settingsWait(waiting)] : []),
    ].join("\n");
  },
});
