import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { reloadSettings, writtenSettings, type Applied, type Reloaded } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { applyDeclared } from "./declared.ts";

const step = z.object({
  name: z.string(),
  owner: z.string(),
  what: z
    .enum(["create", "change", "keep", "remove", "same"])
    .describe("keep: it was changed elsewhere, and stays so"),
  fields: z.array(z.string()).describe("what differs"),
  drift: z.boolean().describe("it was changed elsewhere"),
  secret: z.string().optional().describe("signs its calls over HTTP; shown only now"),
});

export const applySchedules = operation({
  name: "schedule_apply",
  summary: "Make the schedules as the settings say, or show what would change.",
  input: z.strictObject({
    dry_run: z.boolean().optional().describe("only show what would change"),
  }),
  output: z.object({ applied: z.boolean(), steps: z.array(step) }),
  scope: "admin",
  example: { dry_run: true },
  route: { method: "POST", path: "/v1/schedules/apply" },
  command: { name: "apply", positionals: [] },
  async run({ dry_run: isDry = false }, context) {
    const steps = isDry
      ? await applyDeclared(context.use(writtenSettings)?.() ?? context, true)
      : await made(context);
    return { applied: !isDry, steps: steps.map((each) => shown(each, isDry)) };
  },
  render({ applied, steps }, { language }) {
    const texts = textsOf(language);
    if (steps.length === 0) return texts.nothingSetDown();
    const lines = steps.map(({ name, owner, what, fields, drift, secret }) => {
      const about = { name, owner, what, fields: fields.join(", "), drift };
      return [texts.setDown(about), ...(secret === undefined ? [] : [texts.callSecret(secret)])];
    });
    return [...lines.flat(), ...(applied ? [] : [texts.nothingDone()])].join("\n");
  },
});

/** A daemon reads its file first: what stands there now is meant. */
async function made(context: Context): Promise<readonly Applied[]> {
  const reload = context.use(reloadSettings);
  if (reload === undefined) return applyDeclared(context, false);
  const { steps, refused } = takenUp(await reload());
  if (refused !== undefined) throw refused;
  return steps;
}

function shown(one: Applied, isDry: boolean): z.infer<typeof step> {
  const { key: name, owner, what, secret } = one;
  const fields = "fields" in one ? [...one.fields] : [];
  const drift = what === "keep" || (what === "change" && one.isDrift);
  return { name, owner, what, fields, drift, ...(secret && !isDry ? { secret } : {}) };
}

/** Throws what is wrong with settings that were not taken up. */
export function takenUp<More>(answer: Reloaded<More>): Reloaded<More> & { ok: true } {
  if (answer.ok) return answer;
  const { problems } = answer;
  const told = problems.map((line) => `\n${line}`).join("");
  const sentence = `The settings are wrong, so the old ones hold: mend them, and ask again.${told}`;
  throw new DaybookError("invalid", sentence, { details: { problems } });
}
