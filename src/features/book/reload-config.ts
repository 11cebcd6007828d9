import * as z from "zod";
import { operation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { takenUp, reloadSettings } from "../schedules/index.ts";
import { textsOf } from "./texts.ts";

const keys = z.array(z.string());

export const reloadConfig = operation({
  name: "reload_config",
  summary: "Reload the settings of the daemon.",
  input: z.strictObject({}),
  output: z.object({
    changed: keys.describe("the keys of the settings that changed"),
    needs_restart: keys.describe("the keys of the settings that take effect after a restart"),
  }),
  scope: "admin",
  example: {},
  route: { method: "POST", path: "/v1/config/reload" },
  command: { name: "config reload", positionals: [] },
  tool: "never",
  async run(_, context) {
    const reload = context.use(reloadSettings);
    if (reload === undefined) {
      const sentence = "No daemon is running here. Settings are read at its start: daybook start.";
      throw new DaybookError("unsupported", sentence);
    }
    const { changed, needsRestart, refused } = takenUp(await reload());
    const answer = { changed: [...changed], needs_restart: [...needsRestart] };
    if (refused === undefined) return answer;
    const sentence = `The settings were reloaded, but their schedules were refused and stay as they were: correct them, and reload again.\n${refused.message}`;
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
