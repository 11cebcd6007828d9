import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf, fromIso } from "../../../platform/iso-time.ts";
import { inWords } from "../../../time/times.ts";
import { workspacesOf } from "../ports.ts";
import { textsOf } from "../texts.ts";

const archive = z.object({
  workspace_id: z.string(),
  op_id: z.string(),
  keys: z.array(z.string()),
  size: z.number().describe("bytes"),
});

const output = z.object({
  applied: z.boolean(),
  braked: z.boolean().describe("true: none is removed until it is confirmed"),
  why: z
    .enum(["many", "foreign"])
    .nullable()
    .describe("why it must be confirmed: too many at once, or archives of another book"),
  remove: z.array(archive).describe("the archives that no workspace has needed for two hours"),
  orphans: z
    .array(z.object({ archive: z.string(), since: z.string() }))
    .describe("all archives that no workspace needs, and since when that is known"),
  parts: z
    .array(
      z.object({
        part: z.string(),
        size: z.number().describe("bytes"),
        written_at: z.string().describe("when it was last written to"),
        remove: z.boolean().describe("true: nothing was written to it for two hours"),
      }),
    )
    .describe("unfinished archives, which a crash leaves"),
});

export const collectArchives = operation({
  name: "collect_archives",
  summary: "Remove archives that no workspace needs, or list them.",
  input: z.strictObject({
    apply: z.boolean().default(false).describe("remove them. Default: only list them"),
    confirm: z
      .boolean()
      .default(false)
      .describe("remove them even if they are many, or of another book"),
  }),
  output,
  scope: "admin",
  effect: "ends",
  example: { apply: true },
  route: { method: "POST", path: "/v1/workspaces/gc" },
  command: { name: "workspace gc", aliases: ["workspaces gc"], positionals: [] },
  tool: "never",
  async run({ apply, confirm }, context): Promise<z.infer<typeof output>> {
    const { collect } = workspacesOf(context);
    if (collect === undefined) {
      const sentence = "The archives cannot be reached from here: run this where the daemon runs.";
      throw new DaybookError("unsupported", sentence);
    }
    const { remove, orphans, isBraked, why = null, parts } = await collect({ apply, confirm });
    return {
      applied: apply && !isBraked,
      braked: isBraked,
      why,
      remove: remove.map(({ workspaceId, opId, keys, size }) => {
        return { workspace_id: workspaceId, op_id: opId, keys: [...keys], size };
      }),
      orphans: Object.entries(orphans).map(([name, since]) => {
        return { archive: name, since: isoOf(since) };
      }),
      parts: parts.map(({ name, size, writtenAt, isOld }) => {
        return { part: name, size, written_at: isoOf(Math.floor(writtenAt)), remove: isOld };
      }),
    };
  },
  render({ applied: isApplied, braked, why, remove, orphans, parts }, { language, zone }) {
    const texts = textsOf(language);
    const words = (iso: string): string => inWords(fromIso(iso), zone, language);
    const old = [...remove, ...parts.filter((part) => part.remove)];
    const bytes = old.reduce((sum, { size }) => sum + size, 0);
    return [
      braked
        ? texts.braked({ count: orphans.length, isForeign: why === "foreign" })
        : texts.collected({ count: old.length, bytes, isApplied }),
      ...orphans.map(({ archive: name, since }) => {
        return texts.orphan({ archive: name, since: words(since) });
      }),
      ...parts.map(({ part, size, written_at: at, remove: isOld }) => {
        return texts.unfinished({ part, size, at: words(at), isOld });
      }),
    ].join("\n");
  },
});
