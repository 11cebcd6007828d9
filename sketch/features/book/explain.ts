import * as z from "zod";
import type { ExplainPart, Feature } from "../../kernel/feature.ts";
import type { Book } from "../../kernel/ledger.ts";
import { operation, type Context, type Operation } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Texts } from "../../kernel/texts.ts";
import { find } from "./find.ts";

/** The parts of `explain` that a list of features has. */
type PartsIn<Features extends readonly Feature[]> = Features[number] extends infer Each
  ? Each extends { readonly explain: readonly (infer Part extends ExplainPart)[] }
    ? Part
    : never
  : never;

type Views<Part extends ExplainPart> = {
  [P in Part as P["key"]]: z.ZodNullable<P["schemas"]["view"]>;
};
type Causes<Part extends ExplainPart> = {
  [P in Part as P["key"]]: z.ZodOptional<P["schemas"]["cause"]>;
};

const standing = { id: z.string(), kind: z.string(), state: z.string() };
type Standing = typeof standing;

/** The public answer: merged from what each feature shows of its kinds. */
type Explained<Part extends ExplainPart> = z.ZodObject<
  Standing & Views<Part> & { causes: z.ZodArray<z.ZodObject<Standing & Causes<Part>>> }
>;

const input = z.strictObject({ id: z.string() });
type PartTexts = ReadonlyMap<string, unknown>;

export function explainOver<Features extends readonly Feature[]>(
  features: Features,
): Operation<typeof input, Explained<PartsIn<Features>>, {}, PartTexts> {
  const parts = features.flatMap((each): readonly ExplainPart[] => each.explain ?? []);
  const partOf = ({ kind }: LedgerRecord): ExplainPart | undefined =>
    parts.find((part) => part.kind.name === kind);
  const of = (schema: (part: ExplainPart) => z.ZodType): Record<string, z.ZodType> =>
    Object.fromEntries(parts.map((part) => [part.key, schema(part)]));
  const cause = z.object({ ...standing, ...of(({ schemas }) => schemas.cause.optional()) });
  const views = of(({ schemas }) => schemas.view.nullable());
  const output = z.object({ ...standing, ...views, causes: z.array(cause) });
  const shown = async (
    record: LedgerRecord,
    context: Context,
  ): Promise<Record<string, unknown>> => {
    const own = partOf(record);
    const none = Object.fromEntries(parts.map(({ key }) => [key, null]));
    return { ...none, ...(own && { [own.key]: await own.build(record, context) }) };
  };
  return operation({
    name: "explain",
    summary: "Say why something did, did not, or will happen.",
    input,
    output,
    scope: "read",
    route: { method: "GET", path: "/v1/explain/{id}" },
    texts: textsOf(parts),
    async run({ id }, context) {
      const record = await find(features, id, context);
      const causes = (await causesOf(context.book, record)).map((each) => {
        const part = partOf(each);
        return { ...standingOf(each), ...(part && { [part.key]: part.cause(each) }) };
      });
      return { ...standingOf(record), ...(await shown(record, context)), causes };
    },
    render: (answer, reader, texts) =>
      parts
        .flatMap((part) => {
          const view: unknown = Reflect.get(answer, part.key);
          return view === null ? [] : part.lines(view, reader, texts.get(part.key));
        })
        .join("\n"),
  });
}

function textsOf(parts: readonly ExplainPart[]): Texts<PartTexts> {
  return {
    load: async (language) =>
      new Map(
        await Promise.all(
          parts.map(async ({ key, texts }) => [key, await texts.load(language)] as const),
        ),
      ),
  };
}

function standingOf({ id, kind, state }: LedgerRecord): {
  id: string;
  kind: string;
  state: string;
} {
  return { id, kind, state };
}

async function causesOf(book: Book, { parent }: LedgerRecord): Promise<readonly LedgerRecord[]> {
  const cause = parent === null ? undefined : await book.get(parent);
  return cause === undefined ? [] : [cause, ...(await causesOf(book, cause))];
}
