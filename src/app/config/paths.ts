import { aboutOf, valuesIn } from "../../platform/settings/about.ts";
import { merge, treeOf } from "../../platform/settings/tree.ts";
import { layerOf, type Layer } from "./layers.ts";
import { schema } from "./schema.ts";

/** The tree with absolute paths: a relative one starts at the folder of the layer that sets it. */
export function withAbsolutePaths(tree: unknown, layers: readonly Layer[]): unknown {
  return valuesIn(schema, tree).reduce((absolute, { path, schema: part, value }) => {
    const known = aboutOf(part);
    const layer = layerOf(layers, path);
    if (known?.path === undefined || layer === undefined) return absolute;
    return merge(absolute, treeOf(path.map(String), known.path(value, layer.from)));
  }, tree);
}
