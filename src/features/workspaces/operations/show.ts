import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { fields } from "../../../kernel/schemas.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { harmless } from "../../../platform/text.ts";
import { inWords, span, distance } from "../../../time/times.ts";
import { workspaceKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { findWorkspace } from "./find-workspace.ts";
import { workspaceId } from "./inputs.ts";
import { shownWorkspace, workspaceView, type WorkspaceView } from "./view.ts";

export const showWorkspace = operation({
  name: "get_workspace",
  summary: "Show a workspace with all its settings and its state.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView,
  example: { id: "scratch" },
  route: { method: "GET", path: "/v1/workspaces/{id}" },
  command: { name: "workspace show", aliases: ["workspace"], positionals: ["id"] },
  run: async ({ id }, context) => shownWorkspace(await findWorkspace(bookOf(context), id)),
  render: (view, reader) =>
    [textsOf(reader.language).workspaceIs(view), ...detailLines(view, reader)].join("\n"),
});

/** Its settings and its state, as lines of text. */
function detailLines(view: WorkspaceView, reader: Reader): string[] {
  const { language, zone } = reader;
  const texts = textsOf(language);
  const { image_ref: image, memory_mb: memoryMb, cpus, description, memo } = view;
  return [
    ...[description, memo].flatMap((text) => (text === null ? [] : [harmless(text)])),
    texts.image({ image, memoryMb, cpus }),
    desiredLine(view, reader),
    texts.unusedSince(inWords(fromIso(view.last_access_at), zone, language)),
    texts.sleeps({
      sleep: span(view.standby_ttl_seconds * 1_000, language),
      archive: span(view.archive_ttl_seconds * 1_000, language),
      wake: span(view.wake_ahead_seconds * 1_000, language),
    }),
    ...(view.archive_key === null ? [] : [texts.archiveAt(view.archive_key)]),
    ...errorLines(view, reader),
  ];
}

export function desiredLine(view: WorkspaceView, { language }: Reader): string {
  const { desired_state: desired, own_choice: own } = view;
  return textsOf(language).desired({ desired, because: own?.because ?? "asked" });
}

/** The last error, and what to do. */
export function errorLines(view: WorkspaceView, { language }: Reader): string[] {
  const texts = textsOf(language);
  const { error_info: info, error_count: count, status, name, unseen } = view;
  return [
    ...(unseen === null ? [] : [texts.unreachable(harmless(unseen))]),
    ...(info === null
      ? []
      : [texts.error({ reason: info.reason, message: harmless(info.message), count })]),
    ...(status === "ERROR" ? [texts.recoverAdvice(name)] : []),
  ];
}

export const listWorkspaces = listOperation(workspaceKind, {
  plural: "workspaces",
  summary: "List workspaces, the newest first.",
  filters: { all: fields.all },
  example: {},
  view: workspaceView,
  show: shownWorkspace,
  line(view, { language, now }) {
    const used = distance(fromIso(view.last_access_at) - now, language);
    return textsOf(language).line({ ...view, image: view.image_ref, used });
  },
  empty: ({ language }) => textsOf(language).none(),
  more: (next, { language }) => textsOf(language).more(next),
});
