import * as z from "zod";
import { exampleId, operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { harmless, oneLine } from "../../../platform/text.ts";
import { distance } from "../../../time/times.ts";
import { momentOptions } from "../../accounts/index.ts";
import { fields } from "../../notifications/index.ts";
import { nagKind, type NagKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { nagView, viewNag } from "./view.ts";
const input = z.strictObject({
  all: z.boolean().default(false).describe("also what has ended"),
  state: nagView.shape.state.optional().describe("only what is in this state"),
  limit: fields.limit,
  after: fields.after,
});

const output = z.object({
  nags: z.array(nagView),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

export const listNags = operation({
  name: "list_nags",
  summary: "Show what is said until it is done.",
  input,
  output,
  example: { limit: 10 },
  route: { method: "GET", path: "/v1/nags" },
  command: { name: "nags", positionals: [] },
  async run({ all, state, limit, after }, context) {
    const book = bookOf(context);
    const which = state === undefined ? (all ? {} : { live: true }) : { state };
    const query: ListQuery<NagKind> = { kind: nagKind, order: "newest", limit, ...which, after };
    const { records, next } = await book.list(query);
    const look = momentOptions(context);
    const nags = await Promise.all(records.map((record) => viewNag(book, record, look)));
    return { nags, next };
  },
  render({ nags, next }, { language, now }) {
    const texts = textsOf(language);
    if (nags.length === 0 && next === null) return texts.noNags();
    const lines = nags.map(({ id, state, next: due, curve, said, title, reason }) => {
      const isOnItsWay = due === null && state === "active";
      const far = due === null ? "" : distance(fromIso(due.utc) - now, language);
      const when = isOnItsWay ? texts.onItsWay() : far;
      const times = texts.saidTimes(said);
      const why = reason === null ? "" : `  (${oneLine(reason, 60)})`;
      return `${id}  ${texts.state(state).padEnd(9)}  ${when.padEnd(14)}  ${curve.padEnd(8)}  ${oneLine(title, 60)}  ${times}${why}`;
    });
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});

export const showNag = operation({
  name: "show_nag",
  summary: "Show one thing that is said until it is done.",
  input: z.strictObject({ id: fields.id }),
  output: nagView,
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/nags/{id}" },
  command: { name: "nag show", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    return viewNag(book, await find(book, nagKind, id), momentOptions(context));
  },
  render({ id, title, state, next, said, curve, target, reason, about }, { language }) {
    const texts = textsOf(language);
    return [
      texts.headline({ kind: "nag", id, state, when: next?.text ?? null, target }),
      `${curve}, ${texts.saidTimes(said)}${reason === null ? "" : ` (${harmless(reason)})`}`,
      "",
      harmless(about.text ?? title),
    ].join("\n");
  },
});
