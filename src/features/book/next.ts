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
  const pauses = await pausesFor(context);
  const shown: Record<string, unknown> = {};
  for (const each of parts) {
    const first = coming.slice(0, limit).filter(({ part }) => part === each);
    shown[each.key] = await Promise.all(first.map(({ show }) => show()));
  }
  return {
    ...present({ pauses: pauses.length === 0 ? undefined : pauses }),
    ...shown,
    until: dueOf(until, options),
    cut: lists.some(({ isCut }) => isCut) || coming.length > limit,
  };
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
  const rendered = inOrder.map(({ id, at, text, target, waiting }) => {
    const when = inWords(fromIso(at), zone, language);
    const why = waiting === null ? "" : `  (${waiting.text})`;
    return `${when}  ${oneLine(text, 60)} → ${target}  ${id}${why}`;
  });
  return [...paused, ...rendered, ...(cut ? [texts.notAll()] : [])].join("\n");
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
