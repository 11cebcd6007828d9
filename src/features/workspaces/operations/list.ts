import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { distance } from "../../../time/times.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { type WorkspaceKind, workspaceKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

export const listWorkspaces = operation({
  name: "list_workspaces",
  summary: "Show the workspaces that are kept.",
  input: z.strictObject({
    all: z.boolean().default(false).describe("also what has ended"),
    limit: fields.limit,
    after: fields.after,
  }),
  output: z.object({
    workspaces: z.array(workspaceView),
    next: z.string().nullable().describe("where the next page starts; null on the last"),
  }),
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/workspaces" },
  command: { name: "workspaces", positionals: [] },
  tool: "on request",
  async run({ all, limit, after }, context) {
    const which = all ? {} : { live: true };
    const query: ListQuery<WorkspaceKind> = { kind: workspaceKind, order: "newest", ...which };
    const { records, next } = await bookOf(context).list({ ...query, limit, after });
    return { workspaces: records.map(shownWorkspace), next };
  },
  render({ workspaces, next }, { language, now }) {
    const texts = textsOf(language);
    if (workspaces.length === 0 && next === null) return texts.none();
    const lines = workspaces.map((each) => {
      const used = distance(fromIso(each.last_access_at) - now, language);
      return texts.line({ ...each, image: each.image_ref, used });
    });
    return [...lines, ...(next === null ? [] : [textsOf(language).more(next)])].join("\n");
  },
});
