import * as z from "zod";
import { operation } from "../../kernel/operation.ts";
import { hasCode } from "../../platform/errors.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords, parseTime } from "../../time/times.ts";
import { dueOf, dueView, momentOptions, type MomentOptions } from "../accounts/moment-view.ts";
import type { Upcoming } from "../notifications/kind-actions.ts";
import { fields } from "../notifications/operations/fields.ts";
import { textsOf } from "../texts/texts.ts";
import { actions } from "./actions.ts";
import { pauseView, restingFor, restLines } from "./pauses.ts";

const input = z.strictObject({
  within: z.string().default("7d").describe('how far to look, such as "24h", "7d" or "friday"'),
  limit: fields.limit,
});

const parts = actions.flatMap((each) => ("upcoming" in each ? [each.upcoming] : []));
type Part = (typeof parts)[number];
type Views = { [P in Part as P["key"]]: z.ZodArray<P["view"]> };

const output = z.object({
  ...viewShape(),
  until: dueView,
  cut: z.boolean().describe("more of it is in the book than is shown"),
  resting: z.array(pauseView).optional().describe("what is paused, if anything is"),
});

/** Under the key of each part, a list of what it shows. */
function viewShape(): Views {
  const shapes = parts.map(({ key, view, description }: Upcoming) => {
    const list = z.array(view);
    return [key, description === undefined ? list : list.describe(description)] as const;
  });
  return Object.fromEntries(shapes) as Views; // the keys and views of the parts, as its type says
}

export const next = operation({
  name: "next",
  summary: "Show what will happen, in order of time.",
  input,
  output,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/next" },
  command: { name: "next", positionals: ["within"] },
  tool: "on request",
  async run({ within, limit }, context): Promise<z.infer<typeof output>> {
    const look = momentOptions(context);
    const until = readWithin(within, look);
    const range = { until, limit, look, context };
    const lists = [];
    for (const part of parts) lists.push({ part, ...(await part.list(range)) });
    const coming = lists
      .flatMap(({ part, found }) => found.map((each) => ({ part, ...each })))
      .toSorted((a, b) => a.at - b.at);
    const resting = await restingFor(context);
    const shown: Record<string, unknown> = {};
    for (const each of parts) {
      const first = coming.slice(0, limit).filter(({ part }) => part === each);
      shown[each.key] = await Promise.all(first.map(({ show }) => show()));
    }
    return {
      ...(resting.length === 0 ? {} : { resting }),
      ...(shown as Pick<z.infer<typeof output>, Part["key"]>), // shown by the parts whose schemas it has
      until: dueOf(until, look),
      cut: lists.some(({ isCut }) => isCut) || coming.length > limit,
    };
  },
  render({ until, cut, resting = [], ...views }, reader) {
    const { language, zone } = reader;
    const texts = textsOf(language);
    const rests = restLines(resting, reader);
    const lines = parts.flatMap(({ key, line }: Upcoming) =>
      views[key as Part["key"]].flatMap((view) => line(view) ?? []),
    );
    if (lines.length === 0 && !cut) return [...rests, texts.nothingUntil(until.text)].join("\n");
    const inOrder = lines.toSorted((a, b) => fromIso(a.at) - fromIso(b.at));
    const rendered = inOrder.map(({ id, due, text, target }) => {
      const when = inWords(fromIso(due.utc), zone, language);
      return `${when}  ${oneLine(text, 60)} → ${target}  ${id}`;
    });
    return [...rests, ...rendered, ...(cut ? [texts.notAll()] : [])].join("\n");
  },
});

/** A length from now, or else a moment. */
function readWithin(text: string, look: MomentOptions): number {
  try {
    return parseTime(`+${text}`, look).at;
  } catch (error) {
    if (!hasCode(error, "invalid")) throw error;
    return parseTime(text, look).at;
  }
}
