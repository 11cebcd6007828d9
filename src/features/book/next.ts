import * as z from "zod";
import { operation, type Context, type Reader } from "../../kernel/operation.ts";
import { hasCode } from "../../platform/errors.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { parseEnd } from "../../time/future.ts";
import { inWords, parseTime } from "../../time/times.ts";
import { dueOf, dueView, type MomentOptions } from "../accounts/index.ts";
import { type RecordActions, type Upcoming, fields, outlookOf } from "../notifications/index.ts";
import { pauseView, pausesFor, pauseLines } from "./pauses.ts";
import { textsOf } from "./texts.ts";

const input = z.strictObject({
  within: z
    .string()
    .default("7d")
    .describe('until when, such as "24h", "7d" or "friday". Default: 7d'),
  limit: fields.limit,
});

/** A list of views under the key of each kind. */
type Views<Actions extends readonly RecordActions[]> = {
  [P in PartOf<Actions[number]> as P["key"]]: z.ZodArray<P["view"]>;
};
type PartOf<A> = A extends { readonly upcoming: infer P extends Upcoming } ? P : never;

function viewShape<Actions extends readonly RecordActions[]>(
  parts: readonly Upcoming[],
): Views<Actions> {
  const shapes = parts.map(({ key, view, description }) => {
    const list = z.array(view);
    return [key, description === undefined ? list : list.describe(description)] as const;
  });
  return Object.fromEntries(shapes) as Views<Actions>; // the keys and views of the parts, as its type says
}

/** How many times of what repeats are shown as lines of their own. */
const repeatsMax = 3;

const common = {
  until: dueView,
  cut: z.boolean().describe("true: there is more than is shown"),
  pauses: z.array(pauseView).optional().describe("the pauses in force, if any"),
};
type Common = z.infer<z.ZodObject<typeof common>>;

export function nextOver<const Actions extends readonly RecordActions[]>(actions: Actions) {
  const parts: readonly Upcoming[] = actions.flatMap(({ upcoming }) => upcoming ?? []);
  const output = z.object({ ...viewShape<Actions>(parts), ...common });
  return operation({
    name: "next",
    summary: "Show what will happen, in order of time.",
    input,
    output,
    example: { within: "2d" },
    route: { method: "GET", path: "/v1/next" },
    command: { name: "next", positionals: ["within"] },
    async run({ within, limit }, context): Promise<z.infer<typeof output>> {
      const answer = await nextOf(parts, { within, limit }, context);
      return answer as unknown as z.infer<typeof output>; // shown by the parts whose schemas it has
    },
    render: (answer, reader) => render(parts, answer as Common & Record<string, unknown>, reader),
  });
}

async function nextOf(
  parts: readonly Upcoming[],
  { within, limit }: z.output<typeof input>,
  context: Context,
): Promise<Common> {
  const options = await outlookOf(context);
  const until = readWithin(within, options);
  const lists = [];
  for (const part of parts) {
    lists.push({ part, ...(await part.list({ until, limit, options, context })) });
  }
  const coming = lists
    .flatMap(({ part, found }) => found.map((each) => ({ part, ...each })))
    .toSorted((a, b) => a.at - b.at);
  const listed = firstOf(coming, limit);
  const pauses = await pausesFor(context);
  const shown: Record<string, unknown> = {};
  for (const each of parts) {
    const own = listed.filter(({ part }) => part === each);
    shown[each.key] = await Promise.all(own.map(({ show }) => show()));
  }
  return {
    ...present({ pauses: pauses.length === 0 ? undefined : pauses }),
    ...shown,
    until: dueOf(until, options),
    cut: lists.some(({ isCut }) => isCut) || coming.length > limit,
  };
}

/** In order of time; where there are too many, what repeats is left out first, after its early times. */
function firstOf<C extends { readonly repeats?: string }>(
  coming: readonly C[],
  limit: number,
): C[] {
  const { early, late } = byTimes(coming, ({ repeats }) => repeats);
  const kept = new Set([...early, ...late].slice(0, limit));
  return coming.filter((each) => kept.has(each));
}

/** The first times of what repeats, with all else, and its later times. */
function byTimes<C>(
  all: readonly C[],
  nameOf: (each: C) => string | undefined,
): { readonly early: readonly C[]; readonly late: readonly C[] } {
  const counts = new Map<string, number>();
  const { early = [], late = [] } = Object.groupBy(all, (each) => {
    const name = nameOf(each);
    if (name === undefined) return "early";
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= repeatsMax ? "early" : "late";
  });
  return { early, late };
}

function render(
  parts: readonly Upcoming[],
  { until, cut, pauses = [], ...views }: Common & Record<string, unknown>,
  reader: Reader,
): string {
  const { language, zone } = reader;
  const texts = textsOf(language);
  const paused = pauseLines(pauses, reader);
  const lines = parts.flatMap(({ key, line }) =>
    (views[key] as readonly unknown[]).flatMap((view) => line(view) ?? []),
  );
  if (lines.length === 0 && !cut) return [...paused, texts.nothingUntil(until.text)].join("\n");
  const inOrder = lines.toSorted((a, b) => fromIso(a.at) - fromIso(b.at));
  const { early, late } = byTimes(inOrder, ({ every, id }) => (every == null ? undefined : id));
  const later = new Set(late.map(({ id }) => id));
  const rendered = early.map(({ id, at, text, target, waiting, every }, index) => {
    const when = inWords(fromIso(at), zone, language);
    const why = waiting === null ? "" : `  (${waiting.text})`;
    const times = early.slice(0, index + 1).filter((each) => each.id === id).length;
    const goesOn = times === repeatsMax && (cut || later.has(id));
    const more = goesOn && every != null ? `  ${texts.thenEvery(every)}` : "";
    return `${when}  ${oneLine(text, 60)} → ${target}  ${id}${why}${more}`;
  });
  // Later times are shown only where there is room, so that nothing else is missing.
  const isMore = cut && late.length === 0;
  return [...paused, ...rendered, ...(isMore ? [texts.notAll()] : [])].join("\n");
}

/** A duration from now, or else a time. */
function readWithin(text: string, options: MomentOptions): number {
  try {
    return parseTime(`+${text}`, options).at;
  } catch (error) {
    if (!hasCode(error, "invalid")) throw error;
    return parseEnd(text, options).at;
  }
}
