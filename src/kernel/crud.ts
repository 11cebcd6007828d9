import * as z from "zod";
import { bookOf, findRecord, retryIfStale } from "./book.ts";
import { isLive, type Kind } from "./kind.ts";
import { listOperation } from "./list-operation.ts";
import type { Column } from "./list-table.ts";
import { exampleId, operation, type Context, type Operation, type Reader } from "./operation.ts";
import type { LedgerRecord } from "./record.ts";
import { fields } from "./schemas.ts";
import type { Shape } from "./shape.ts";
import type { Consequences } from "./unit.ts";

interface CrudOptions<S extends Shape, View, Plural extends string> {
  /** The plural of the kind's name, for the path, the command and the answer of the list. */
  readonly plural: Plural;
  readonly view: z.ZodType<View>;
  show(record: LedgerRecord<S>): View;
  /** One record as a line for people. */
  line(view: View, reader: Reader): string;
  /** The fields that the list shows. Default: the line. */
  readonly columns?: readonly (keyof View & string)[] | undefined;
  /** What else happens when a record is cancelled, in the same unit. */
  onCancel?(record: LedgerRecord<S>, context: Context): Promise<Consequences>;
}

const byId = z.strictObject({ id: fields.id });
type ById<View> = Operation<typeof byId, View>;

const all = { all: fields.all };

type Crud<S extends Shape, View, Plural extends string> = {
  readonly list: ReturnType<typeof listOperation<S, View, Plural, typeof all>>;
  readonly show: ById<View>;
  readonly cancel: ById<View>;
};

/** A kind with the states active and paused can be paused and resumed. */
type CrudOf<S extends Shape, View, Plural extends string> = Crud<S, View, Plural> &
  ("active" | "paused" extends S["live"]
    ? { readonly pause: ById<View>; readonly resume: ById<View> }
    : unknown);

type Change = "cancel" | "pause" | "resume";

/** Makes list, show, cancel, and pause and resume where the kind has these states. The feature names each for the library. */
export function crud<S extends Shape, View, const Plural extends string>(
  kind: Kind<S>,
  { plural, view, show, line, columns, onCancel }: CrudOptions<S, View, Plural>,
): CrudOf<S, View, Plural> {
  const { name, label = name } = kind;
  const path = `/v1/${plural}/{id}` as const;
  const shown = async (id: string, context: Context): Promise<View> =>
    show(await findRecord(bookOf(context), kind, id));
  const example = { id: exampleId };
  const base = { input: byId, output: view, example, render: line } as const;
  const change = (
    verb: Change,
    act: (record: LedgerRecord<S>, context: Context) => Promise<unknown> | undefined,
  ): ById<View> =>
    operation({
      ...base,
      name: `${verb}_${name}`,
      summary: `${sentence[verb]} a ${label}.`,
      effect: verb === "cancel" ? "ends" : "changes",
      route: { method: "POST", path: `${path}/${verb}` },
      command: { name: `${name} ${verb}`, positionals: ["id"] },
      async run({ id }, context) {
        const named = await retryIfStale(async () => {
          const record = await findRecord(bookOf(context), kind, id);
          await act(record, context);
          return record.id;
        });
        return shown(named, context);
      },
    });
  const moveTo = (verb: "pause" | "resume", state: string): ById<View> =>
    change(verb, ({ id, revision, endedAt }, context) => {
      if (endedAt !== null) return undefined;
      const wakeAt = state === "active" ? context.now() : null;
      return bookOf(context).edit({ kind: name, id, ifRevision: revision, state, wakeAt });
    });
  const operations: Crud<S, View, Plural> = {
    list: listOperation(kind, {
      plural,
      summary: `List ${plural}, the newest first.`,
      filters: all,
      example: {},
      view,
      show,
      columns: columns?.map((field) => columnOf<View>(field)) ?? [
        { label: () => label.toUpperCase(), cell: line },
      ],
      empty: () =>
        `There are no ${plural}.\nInclude those that have ended: daybook ${name} list --all`,
      more: (next) => `more: --after ${next}`,
    }),
    show: operation({
      ...base,
      name: `show_${name}`,
      summary: `Show a ${label}.`,
      route: { method: "GET", path },
      command: { name: `${name} show`, positionals: ["id"] },
      run: ({ id }, context) => shown(id, context),
    }),
    cancel: change("cancel", async (record, context) =>
      bookOf(context).cancel({ id: record.id }, await onCancel?.(record, context)),
    ),
  };
  const pausing = isLive(kind, "paused") && {
    pause: moveTo("pause", "paused"),
    resume: moveTo("resume", "active"),
  };
  return { ...operations, ...pausing } as unknown as CrudOf<S, View, Plural>; // pause and resume are there when the type has them
}

/** The least width of a text where there is little room. */
const widthMin = 24;

function columnOf<View>(field: keyof View & string): Column<View> {
  const label = (): string => field.toUpperCase();
  const cell = (view: View): string => textOf(view[field]);
  if (field === "id") return { label, cell, isId: true };
  return field === "state" ? { label, cell } : { label, cell, widthMin };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value == null ? "" : JSON.stringify(value);
}

const sentence: Readonly<Record<Change, string>> = {
  cancel: "Cancel",
  pause: "Pause",
  resume: "Resume",
};
