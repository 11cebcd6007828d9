import * as z from "zod";
import {
  type ExplainPart,
  type RecordLinks,
  causeFields,
  changeView,
  recordFields,
  waitView,
  type Explanation,
} from "../../../kernel/explain.ts";
import type { Merged } from "../../../kernel/feature.ts";
import { partViews } from "../../notifications/index.ts";
import { pauseView, type PauseView } from "../../schedules/index.ts";

type Parts = readonly ExplainPart[];

/** Only parts that show causes have a key in one. */
type Causes<P extends Parts> = {
  [Each in P[number] as CauseIn<Each> extends z.ZodNever ? never : Each["key"]]: z.ZodOptional<
    CauseIn<Each>
  >;
};
type CauseIn<P extends ExplainPart> = NonNullable<P["cause"]>["schema"];

type CauseView<P extends Parts> = z.ZodObject<typeof causeFields & Causes<P>>;

type Views<P extends Parts> = {
  [Each in P[number] as Each["key"]]: z.ZodNullable<
    z.ZodObject<Each["view"]["shape"] & Links<NonNullable<Each["links"]>, CauseView<P>>>
  >;
};
type Links<L extends RecordLinks, Cause extends z.ZodType> = {
  [Name in keyof L]: L[Name]["holds"] extends "one" ? z.ZodNullable<Cause> : z.ZodArray<Cause>;
};

type Fields<P extends Parts> =
  Merged<NonNullable<P[number]["fields"]>["schemas"]> extends infer F extends z.ZodRawShape
    ? F
    : never;

const rest = {
  held_back: pauseView.nullable().describe("the pause that covers it, if any"),
  history: z.array(changeView),
  history_cut: z.boolean().describe("true: earlier changes are not shown"),
  waits: waitView.nullable().describe("null: it has ended"),
  ...partViews,
};

type Answer<P extends Parts> = z.ZodObject<
  typeof recordFields & Views<P> & { because: z.ZodArray<CauseView<P>> } & Fields<P> & typeof rest
>;

/** The fields that every answer has; each part adds its own under its key. */
export interface Explained extends Explanation {
  readonly [key: string]: unknown;
  readonly held_back: PauseView | null;
  readonly history_cut: boolean;
  readonly next_offset: number | null;
  readonly remaining: number;
}

/** The schema of the answer, from the explain parts of all features. */
export function explainedView<const P extends Parts>(parts: P): Answer<P> {
  const causeView = z.object({ ...causeFields, ...causeShape(parts) });
  const answer = z.object({
    ...recordFields,
    ...viewShape(parts, causeView),
    because: z.array(causeView).describe("its causes, the nearest first"),
    ...fieldShape(parts),
    ...rest,
  });
  return answer as unknown as Answer<P>;
}

// The keys and schemas of these are those of the parts, which the types above read.

function causeShape(parts: Parts): z.ZodRawShape {
  const shapes = parts.map(({ key, cause }) =>
    cause === undefined ? {} : { [key]: cause.schema.optional() },
  );
  return Object.assign({}, ...shapes);
}

function viewShape(parts: Parts, causeView: z.ZodObject): z.ZodRawShape {
  const shapes = parts.map((part) => {
    const view = part.view.extend(linkShape(part.links ?? {}, causeView)).nullable();
    return { [part.key]: part.nullMeaning === undefined ? view : view.describe(part.nullMeaning) };
  });
  return Object.assign({}, ...shapes);
}

function linkShape(links: RecordLinks, causeView: z.ZodObject): z.ZodRawShape {
  const shapes = Object.entries(links).map(([name, { holds, description }]) => {
    const schema = holds === "one" ? causeView.nullable() : z.array(causeView);
    return [name, schema.describe(description)] as const;
  });
  return Object.fromEntries(shapes);
}

function fieldShape(parts: Parts): z.ZodRawShape {
  return Object.assign({}, ...parts.map(({ fields }) => fields?.schemas));
}
