import { aboutOf, valuesIn } from "../../platform/settings/about.ts";
import { isTree, pathText, valueAt } from "../../platform/settings/tree.ts";
import type { Layer } from "./layers.ts";
import { schema } from "./schema.ts";
import { isReference } from "./secrets.ts";
import { withoutPassword } from "./store-url.ts";

/** A setting with its origin. */
export interface Origin {
  key: string;
  /** Secrets are shown as ***. */
  value: string;
  /** `flag`, `env DAYBOOK_PORT`, `daybook.yaml:3:1` or `default`. */
  from: string;
}

export function originsOf(settings: unknown, layers: readonly Layer[]): Origin[] {
  return valuesIn(schema, settings).map(({ path, schema: part, value }) => {
    const layer = layers.findLast(({ tree }) => valueAt(tree, path) !== undefined);
    const isHidden = aboutOf(part)?.isSecret === true || isReference(valueAt(layer?.tree, path));
    return {
      key: pathText(path),
      value: isHidden ? "***" : shown(value),
      from: layer?.place(path) ?? "default",
    };
  });
}

function shown(value: unknown): string {
  if (typeof value === "string") return withoutPassword(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  const items = value.map((each) => (isTree(each) ? JSON.stringify(each) : String(each)));
  return `[${items.join(", ")}]`;
}
