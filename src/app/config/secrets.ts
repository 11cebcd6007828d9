import * as z from "zod";
import { messageOf } from "../../platform/errors.ts";
import { aboutOf, bare, valuesIn } from "../../platform/settings/about.ts";
import { resolvePath, isTree, merge, treeOf, type Path } from "../../platform/settings/tree.ts";
import { oneLine } from "../../platform/text.ts";
import type { Environment } from "./environment.ts";
import { layerOf, type Layer, type Notes } from "./layers.ts";
import { schema } from "./schema.ts";
import { withoutPassword } from "./store-url.ts";

/** The location of a secret, instead of the secret. */
export type Reference = { env: string } | { file: string };

export function isReference(value: unknown): value is Reference {
  if (!isTree(value) || Object.keys(value).length !== 1) return false;
  return typeof (value["env"] ?? value["file"]) === "string";
}

interface Ports {
  env: Environment;
  /** The text of a file; undefined if it does not exist. */
  readText(path: string): string | undefined;
  notes: Notes;
}

/** The tree with secrets instead of their references. */
export function reveal(tree: unknown, layers: readonly Layer[], ports: Ports): unknown {
  let revealed = tree;
  for (const { path, value, schema: part } of valuesIn(schema, tree)) {
    const layer = layerOf(layers, path);
    if (layer === undefined) continue;
    if (isReference(value) && bare(part) instanceof z.ZodUnion) {
      const text = read(value, { layer, path }, ports);
      if (text !== undefined) revealed = merge(revealed, treeOf(path.map(String), text));
    } else if (layer.isFile && isOpenSecret(value, aboutOf(part)?.isSecret)) {
      const advice = "write { env: NAME } or { file: PATH } instead";
      ports.notes.warnings.push(`${layer.name(path)} has a secret in the file: ${advice}`);
    }
  }
  return revealed;
}

function isOpenSecret(value: unknown, isSecret = false): boolean {
  return typeof value === "string" && (isSecret || withoutPassword(value) !== value);
}

function read(
  reference: Reference,
  at: { layer: Layer; path: Path },
  { env, readText, notes }: Ports,
): string | undefined {
  const name = at.layer.name(at.path);
  if ("env" in reference) {
    const text = env[reference.env] ?? "";
    if (text !== "") return text;
    notes.problems.push(`${name} needs the variable ${oneLine(reference.env, 60)}: set it`);
    return undefined;
  }
  const file = resolvePath(reference.file, at.layer.from);
  try {
    const text = readText(file)?.trim() ?? "";
    if (text !== "") return text;
    notes.problems.push(`${name} needs the file ${oneLine(file, 200)}: write the secret into it`);
  } catch (error) {
    notes.problems.push(
      `${name} cannot read ${oneLine(file, 200)}: ${oneLine(messageOf(error), 300)}`,
    );
  }
  return undefined;
}
