/** Leaves only the fields that a mask names, such as `nextPageToken,items(id,start/date)`. */
export function masked(value: unknown, mask: string): unknown {
  return project(value, parse(mask));
}

interface Mask {
  readonly [name: string]: Mask | "all";
}

function parse(mask: string): Mask {
  const names: Record<string, Mask | "all"> = {};
  for (const part of splitTop(mask)) {
    const [, name = "", inner, path] = /^(\w+)(?:\((.*)\)|\/(.*))?$/.exec(part) ?? [];
    if (name === "") throw new Error(`This is no field mask: ${mask}`);
    const rest = inner ?? path;
    names[name] = rest === undefined ? "all" : parse(rest);
  }
  return names;
}

/** Splits at the commas outside of parentheses. */
function splitTop(mask: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const char of mask) {
    depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    if (char === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${char}`);
  }
  return parts;
}

function project(value: unknown, mask: Mask | "all"): unknown {
  if (mask === "all" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => project(each, mask));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const part = Object.hasOwn(mask, name) ? mask[name] : undefined;
      return part === undefined ? [] : [[name, project(inner, part)]];
    }),
  );
}
