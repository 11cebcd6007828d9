import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import { exampleId, operation, type Reader } from "../../../kernel/operation.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { distance } from "../../../time/times.ts";
import { fields, outlookOf } from "../../notifications/index.ts";
import { nagKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { renderNag } from "./sheet.ts";
import { nagView, viewNag, type NagView } from "./view.ts";

export const listNags = listOperation(nagKind, {
  plural: "nags",
  summary: "List nags and when each is sent next.",
  example: { limit: 10 },
  filters: {
    all: fields.all,
    state: nagView.shape.state.optional().describe("only nags in this state"),
  },
  view: nagView,
  share: (context) => outlookOf(context),
  show: (record, context, outlook) => viewNag(bookOf(context), record, outlook),
  line,
  empty: ({ language }) => textsOf(language).noNags(),
  more: (next, { language }) => textsOf(language).more(next),
});

function line(nag: NagView, { language, now }: Reader): string {
  const texts = textsOf(language);
  const { id, state, next, curve, title, reason } = nag;
  const wait = next === null ? "" : distance(fromIso(next.utc) - now, language);
  const when = next === null && state === "active" ? texts.sending() : wait;
  const sent = texts.sentTimes(nag.said);
  const failure = reason === null ? "" : `  (${oneLine(reason, 60)})`;
  return `${id}  ${texts.state(state).padEnd(9)}  ${when.padEnd(14)}  ${curve.padEnd(8)}  ${oneLine(title, 60)}  ${sent}${failure}`;
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
