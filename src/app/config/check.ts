import type * as z from "zod";
import { DaybookError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { aboutOf, namesIn, schemaAt } from "../../platform/settings/about.ts";
import { isTree, pathText, valueAt, type Path } from "../../platform/settings/tree.ts";
import { quote } from "../../platform/text.ts";
import { layerOf, type Layer, type Notes } from "./layers.ts";
import { isReference } from "./secrets.ts";
import { withoutPassword } from "./store-url.ts";

/** The settings, or every problem with them, each as a line that says where and what to do. */
export function check<Schema extends z.ZodObject>(
  schema: Schema,
  { tree, absolute }: { /** As written, for messages. */ tree: unknown; absolute: unknown },
  layers: readonly Layer[],
  notes: Notes,
): z.output<Schema> | undefined {
  const checked = schema.safeParse(absolute ?? {});
  if (checked.success) return checked.data;
  const all = { schema, tree, layers };
  for (const issue of checked.error.issues) notes.problems.push(...issueLines(issue, all));
  return undefined;
}

interface Checked {
  schema: z.ZodObject;
  tree: unknown;
  layers: readonly Layer[];
}

function issueLines(issue: z.core.$ZodIssue, { schema, tree, layers }: Checked): string[] {
  const { path } = issue;
  const layer = layerOf(layers, path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const full = [...path, key];
      return `${layerOf(layers, full)?.place(full)}  ${unknownKey(key, path, schema)}`;
    });
  }
  const name = layer?.name(path) ?? pathText(path);
  const write = `write ${formOf(path, schema)}`;
  const value = valueAt(tree, path);
  const says = issue.code === "custom" ? saysOf(issue, value, write) : undefined;
  if (value === undefined) return [`${name} ${says ?? `is missing: ${write}`}`];
  if (issue.code === "invalid_key") {
    return [`${name} has an invalid name: write ${formOf(path.slice(0, -1), schema)}`];
  }
  if (says !== undefined) return [`${name} ${says}`];
  const wasSecret = !isTree(value) && isReference(valueAt(layer?.tree, path));
  if (wasSecret) return [`${name} has a secret of the wrong form: ${write}`];
  const typed = layer?.typed(path);
  return [`${name} is ${typed === undefined ? shown(value) : quoted(typed)}: ${write}`];
}

/** The message of a custom check, or of a group without a wrong key. */
function saysOf(
  { params }: z.core.$ZodIssueCustom,
  value: unknown,
  write: string,
): string | undefined {
  const says: unknown = params?.["says"];
  if (typeof says === "string") return says;
  return isTree(value) ? `is invalid: ${write}` : undefined;
}

function unknownKey(key: string, path: Path, schema: z.ZodObject): string {
  const names = namesIn(schemaAt(schema, path));
  const where = path.length === 0 ? "" : ` in ${pathText(path)}`;
  const near = nearest(key, names);
  if (near !== undefined) return `unknown key ${quote(key)}${where}: did you mean "${near}"?`;
  const advice = names.length === 0 ? "remove it" : `use one of ${names.join(", ")}`;
  return `unknown key ${quote(key)}${where}: ${advice}`;
}

/** What to write at a path; for an item of a list, what to write for the list. */
function formOf(path: Path, schema: z.ZodObject): string {
  if (path.length === 0) return "keys and values, such as timezone: Asia/Seoul";
  const at = schemaAt(schema, path);
  const form = at && aboutOf(at)?.write;
  if (form !== undefined) return form;
  const names = namesIn(at);
  if (names.length > 0) return `its keys under it (${names.join(", ")})`;
  return formOf(path.slice(0, -1), schema);
}

function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  return isTree(value) ? "a group of keys" : String(value);
}

function quoted(text: string): string {
  return quote(withoutPassword(text));
}

const problemsMax = 50;

/** One error with every problem, in the order of their positions. */
export function refusal(all: readonly string[]): DaybookError {
  // Numbers as numbers, so that line 9 comes before line 10.
  const inOrder = new Intl.Collator("en", { numeric: true });
  const problems = [...new Set(all)].toSorted(inOrder.compare);
  const lines = problems
    .slice(0, problemsMax)
    .map((line) => (/[.?]$/.test(line) ? line : `${line}.`));
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more.`);
  return new DaybookError("invalid", lines.join("\n"), { details: { problems } });
}
