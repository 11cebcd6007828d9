import * as z from "zod";
import type { ExplainPart, RecordLinks } from "../../../kernel/explain.ts";
import { causeStanding, changeView, standing, waitsView } from "../../../kernel/story.ts";
import { partViews } from "../../notifications/operations/long-texts.ts";
import { pauseView } from "../../schedules/pause-view.ts";
import { parts } from "./parts.ts";

type Part = (typeof parts)[number];

/** Only parts that show causes have a key in one. */
type Causes = {
  [P in Part as CauseIn<P> extends z.ZodNever ? never : P["key"]]: z.ZodOptional<CauseIn<P>>;
};
type CauseIn<P extends ExplainPart> = NonNullable<P["cause"]>["schema"];

type Views = {
  [P in Part as P["key"]]: z.ZodNullable<
    z.ZodObject<P["view"]["shape"] & Links<NonNullable<P["links"]>>>
  >;
};
type Links<L extends RecordLinks> = {
  [Name in keyof L]: L[Name]["holds"] extends "one"
    ? z.ZodNullable<typeof causeView>
    : z.ZodArray<typeof causeView>;
};

type Fields = Merged<NonNullable<Part["fields"]>["schemas"]>;
/** Of a union of objects, one that has the keys of all. */
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** What caused something: what every record shows, and under one key what its kind does. */
const causeView = z.object({ ...causeStanding, ...causeShape() });
export type Cause = z.infer<typeof causeView>;

/** Everything that is known of why something did, did not, or will happen. */
export const explainedView = z.object({
  ...standing,
  ...viewShape(),
  because: z.array(causeView).describe("what caused it, nearest first"),
  ...fieldShape(),
  held_back: pauseView.nullable().describe("what it waits for with much else"),
  history: z.array(changeView),
  history_cut: z.boolean().describe("earlier changes are left out"),
  waits: waitsView.nullable().describe("null: it has ended"),
  ...partViews,
});
export type Explained = z.infer<typeof explainedView>;

// The keys and schemas of these three are those of the parts, which the types above read.

function causeShape(): Causes {
  const shapes = parts.map(({ key, cause }: ExplainPart) =>
    cause === undefined ? {} : { [key]: cause.schema.optional() },
  );
  return Object.assign({}, ...shapes) as Causes;
}

function viewShape(): Views {
  const shapes = parts.map((part: ExplainPart) => {
    const view = part.view.extend(linkShape(part.links ?? {})).nullable();
    return { [part.key]: part.otherwise === undefined ? view : view.describe(part.otherwise) };
  });
  return Object.assign({}, ...shapes) as Views;
}

function linkShape(links: RecordLinks): z.ZodRawShape {
  const shapes = Object.entries(links).map(([name, { holds, description }]) => {
    const schema = holds === "one" ? causeView.nullable() : z.array(causeView);
    return [name, schema.describe(description)] as const;
  });
  return Object.fromEntries(shapes);
}

function fieldShape(): Fields {
  return Object.assign({}, ...parts.map(({ fields }: ExplainPart) => fields?.schemas)) as Fields;
}
