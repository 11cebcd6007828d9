import type { Json } from "../../platform/json.ts";

/** What a text may name. */
export interface Said {
  readonly [name: string]: Json;
}

const hole = /\{\{\s*([A-Za-z0-9_.-]{1,200})\s*\}\}/g;

/** Puts what was said where a text names it, `{{payload.pr_number}}`; what was not said is nothing. */
export function filled(text: string, said: Said): string {
  return text.replaceAll(hole, (_, path: string) => shown(at(said, path.split("."))));
}

function at(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((inner, name) => {
    const isOpen = typeof inner === "object" && inner !== null && Object.hasOwn(inner, name);
    return isOpen ? ((inner as Said)[name] ?? null) : null;
  }, value);
}

function shown(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
