import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { applyDeclared } from "../declared/apply.ts";
import { reloadSettings, writtenSettings, type Applied, type Reloaded } from "../ports.ts";
import { textsOf } from "../texts.ts";

const step = z.object({
  name: z.string(),
  owner: z.string(),
  what: z
    .enum(["create", "change", "keep", "remove", "same"])
    .describe("keep: it was changed elsewhere, and keeps that change"),
  fields: z.array(z.string()).describe("the fields that differ"),
  drift: z.boolean().describe("true: it was changed elsewhere"),
  secret: z.string().optional().describe("signs its HTTP calls; shown only in this answer"),
});

export const applySchedules = operation({
  name: "schedule_apply",
  summary: "Apply the schedules of the settings, or show what would change.",
  input: z.strictObject({
    dry_run: z.boolean().optional().describe("only show what would change. Default: false"),
  }),
  output: z.object({ applied: z.boolean(), steps: z.array(step) }),
  scope: "admin",
  example: { dry_run: true },
  route: { method: "POST", path: "/v1/schedules/apply" },
  command: { name: "schedule apply", aliases: ["apply"], positionals: [] },
  async run({ dry_run: isDry = false }, context) {
    const steps = isDry
      ? await applyDeclared(context.use(writtenSettings)?.() ?? context, true)
      : await applied(context);
    return { applied: !isDry, steps: steps.map((each) => viewOf(each, isDry)) };
  },
  render({ applied: isApplied, steps }, { language }) {
    const texts = textsOf(language);
    if (steps.length === 0) return texts.noneDeclared();
    const lines = steps.map(({ name, owner, what, fields, drift, secret }) => {
      const about = { name, owner, what, fields: fields.join(", "), drift };
      return [texts.step(about), ...(secret === undefined ? [] : [texts.callSecret(secret)])];
    });
    return [...lines.flat(), ...(isApplied ? [] : [texts.dryRun()])].join("\n");
  },
});

/** A daemon reloads its file first, because the request is about its current content. */
async function applied(context: Context): Promise<readonly Applied[]> {
  const reload = context.use(reloadSettings);
  if (reload === undefined) return applyDeclared(context, false);
  const { steps, refused } = takenUp(await reload());
  if (refused !== undefined) throw refused;
  return steps;
}

function viewOf(one: Applied, isDry: boolean): z.infer<typeof step> {
  const { key: name, owner, what, secret } = one;
  const fields = "fields" in one ? [...one.fields] : [];
  const drift = what === "keep" || (what === "change" && one.isDrift);
  return { name, owner, what, fields, drift, secret: (!isDry && secret) || undefined };
}

/** Throws the problems of settings that were refused. */
export function takenUp<More>(answer: Reloaded<More>): Reloaded<More> & { ok: true } {
  if (answer.ok) return answer;
  const { problems } = answer;
  const lines = problems.map((line) => `\n${line}`).join("");
  const sentence = `The settings are invalid, so the old ones stay in use: correct them and try again.${lines}`;
  throw new DaybookError("invalid", sentence, { details: { problems } });
}
