import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { exampleId, operation, type Reader } from "../../../kernel/operation.ts";
import {
  idColumn,
  nameColumn,
  noteColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumns,
} from "../../accounts/index.ts";
import { fields, outlookOf } from "../../notifications/index.ts";
import { nagKind, nextOf } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { renderNag } from "./sheet.ts";
import { nagView, viewNag, type NagView } from "./view.ts";

const columns: readonly Column<NagView>[] = [
  idColumn(({ id }) => id),
  stateColumn(({ state }) => state),
  ...timeColumns<NagView>("next", ({ ended_at: end, next }) => end ?? next?.utc ?? null),
  nameColumn("target", ({ target }) => target),
  nameColumn("curve", ({ curve }) => curve),
  numberColumn("sent", ({ said }) => said),
  textColumn("title", ({ title }) => title),
  noteColumn(nagNote),
];

export const listNags = listOperation(nagKind, {
  plural: "nags",
  summary: "List nags that wait, next first; ended ones, newest first.",
  example: { limit: 10 },
  filters: {
    all: fields.all,
    state: nagView.shape.state.optional().describe("only nags in this state"),
    sort: fields.sort,
  },
  dueAt: nextOf,
  view: nagView,
  share: (context) => outlookOf(context),
  show: (record, context, outlook) => viewNag(bookOf(context), record, outlook),
  columns,
  empty: ({ language }) => textsOf(language).noNags(),
  more: (next, { language }) => textsOf(language).more(next),
});

/** Why it is late or paused, or why the last send failed. */
function nagNote({ waiting, next, state, reason }: NagView, { language }: Reader): string | null {
  const texts = textsOf(language);
  if (waiting?.for === "attempt") return texts.sending();
  if (waiting !== null) return waiting.text;
  if (reason !== null) return texts.reason(reason);
  return next === null && state === "active" ? texts.sending() : null;
}

export const showNag = operation({
  name: "show_nag",
  summary: "Show a nag.",
  input: z.strictObject({ id: fields.id }),
  output: nagView,
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/nags/{id}" },
  command: { name: "nag show", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    return viewNag(book, await findRecord(book, nagKind, id), await outlookOf(context));
  },
  render: renderNag,
});
