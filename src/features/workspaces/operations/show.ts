import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Reader } from "../../../kernel/operation.ts";
import type { ListQuery } from "../../../kernel/query.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { harmless } from "../../../platform/text.ts";
import { inWords, span, distance } from "../../../time/times.ts";
import { fields } from "../../notifications/index.ts";
import { type WorkspaceKind, workspaceKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { findWorkspace } from "./find-workspace.ts";
import { workspaceId } from "./inputs.ts";
import { shownWorkspace, workspaceView, type WorkspaceView } from "./view.ts";

export const showWorkspace = operation({
  name: "get_workspace",
  summary: "Show one workspace, whole.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView,
  example: { id: "scratch" },
  route: { method: "GET", path: "/v1/workspaces/{id}" },
  command: { name: "workspace", positionals: ["id"] },
  run: async ({ id }, context) => shownWorkspace(await findWorkspace(bookOf(context), id)),
  render: (view, reader) =>
    [textsOf(reader.language).workspaceIs(view), ...aboutIt(view, reader)].join("\n"),
});

/** All that is known of it, a line each. */
function aboutIt(view: WorkspaceView, reader: Reader): string[] {
  const { language, zone } = reader;
  const texts = textsOf(language);
  const { image_ref: image, memory_mb: memoryMb, cpus, description, memo } = view;
  return [
    ...[description, memo].flatMap((text) => (text === null ? [] : [harmless(text)])),
    texts.image({ image, memoryMb, cpus }),
    wantedLine(view, reader),
    texts.unusedSince(inWords(fromIso(view.last_access_at), zone, language)),
    texts.sleeps({
      sleep: span(view.standby_ttl_seconds * 1_000, language),
      archive: span(view.archive_ttl_seconds * 1_000, language),
      wake: span(view.wake_ahead_seconds * 1_000, language),
    }),
    ...(view.archive_key === null ? [] : [texts.archiveAt(view.archive_key)]),
    ...faultLines(view, reader),
  ];
}

export function wantedLine(view: WorkspaceView, { language }: Reader): string {
  const { desired_state: desired, own_choice: own } = view;
  return textsOf(language).wanted({ desired, because: own?.because ?? "asked" });
}

/** What went wrong, and what to do. */
export function faultLines(view: WorkspaceView, { language }: Reader): string[] {
  const texts = textsOf(language);
  const { error_info: info, error_count: count, status, name, unseen } = view;
  return [
    ...(unseen === null ? [] : [texts.unseen(harmless(unseen))]),
    ...(info === null
      ? []
      : [texts.fault({ reason: info.reason, message: harmless(info.message), count })]),
    ...(status === "ERROR" ? [texts.recoverAdvice(name)] : []),
  ];
}

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
  example: {},
  route: { method: "GET", path: "/v1/workspaces" },
  command: { name: "workspaces", positionals: [] },
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
