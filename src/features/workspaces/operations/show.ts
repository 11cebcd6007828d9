import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { fields } from "../../../kernel/schemas.ts";
import { harmless } from "../../../platform/text.ts";
import { span } from "../../../time/times.ts";
import {
  idColumn,
  nameColumn,
  noteColumn,
  renderSheet,
  type SheetRow,
  stateColumn,
  timeColumns,
  timeRow,
  toneOf,
  zonedTime,
} from "../../accounts/index.ts";
import { workspaceKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { findWorkspace } from "./find-workspace.ts";
import { workspaceId } from "./inputs.ts";
import { shownWorkspace, workspaceView, type WorkspaceView } from "./view.ts";

export const showWorkspace = operation({
  name: "show_workspace",
  oldNames: ["get_workspace"],
  summary: "Show a workspace with all its settings and its state.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView,
  example: { id: "scratch" },
  route: { method: "GET", path: "/v1/workspaces/{id}" },
  command: { name: "workspace show", aliases: ["workspace"], positionals: ["id"] },
  run: async ({ id }, context) => shownWorkspace(await findWorkspace(bookOf(context), id)),
  render: (view, reader) =>
    renderSheet(textsOf(reader.language).workspaceIs(view), rowsOf(view, reader), reader),
});

/** Its settings and its state. */
function rowsOf(view: WorkspaceView, reader: Reader): readonly SheetRow[] {
  const { language } = reader;
  const texts = textsOf(language);
  const { image_ref: image, memory_mb: memoryMb, cpus, description, memo } = view;
  return [
    ["description", description === null ? null : harmless(description)],
    ["memo", memo === null ? null : harmless(memo)],
    ["image", texts.image({ image, memoryMb, cpus })],
    ["desired", texts.wanted(wantedOf(view))],
    ["error", errorLines(view, reader)],
    timeRow("used", view.last_access_at, reader),
    [
      "idle",
      texts.sleeps({
        sleep: span(view.standby_ttl_seconds * 1_000, language),
        archive: span(view.archive_ttl_seconds * 1_000, language),
        wake: span(view.wake_ahead_seconds * 1_000, language),
      }),
    ],
    ["archive", view.archive_key],
    timeRow("observed", view.observed_at, reader),
    timeRow("ended", view.deleted_at, reader),
    ["created", `${view.owner_user_id}, ${zonedTime(view.created_at, reader)}`],
  ];
}

export function desiredLine(view: WorkspaceView, { language }: Reader): string {
  return textsOf(language).desired(wantedOf(view));
}

/** The state that it should have, and why. */
function wantedOf({ desired_state: desired, own_choice: own }: WorkspaceView) {
  return { desired, because: own?.because ?? "asked" } as const;
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

const columns: readonly Column<WorkspaceView>[] = [
  idColumn(({ id }) => id),
  {
    ...stateColumn(({ display }) => display),
    cell: ({ display, operation }, { language }) => ({
      text: textsOf(language).status({ display, operation }),
      tone: toneOf(display),
    }),
  },
  nameColumn("name", ({ name }) => name),
  nameColumn("image", ({ image_ref: image }) => image),
  ...timeColumns<WorkspaceView>("used", (view) => view.last_access_at),
  noteColumn((view, reader) => errorLines(view, reader).join(" ") || null),
];

export const listWorkspaces = listOperation(workspaceKind, {
  plural: "workspaces",
  summary: "List workspaces, the newest first.",
  filters: { all: fields.all },
  example: {},
  view: workspaceView,
  show: shownWorkspace,
  columns,
  empty: ({ language }) => textsOf(language).none(),
  more: (next, { language }) => textsOf(language).more(next),
});
