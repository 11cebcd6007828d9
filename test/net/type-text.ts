/** Rewrites a type that the compiler printed: sorts members and alternatives, and removes `As`. */
export function canonicalType(text: string): string {
  const tokens = text.match(token) ?? [];
  const reader = { tokens, at: 0 };
  const type = readUnion(reader);
  if (reader.at < tokens.length) throw unexpected(reader);
  return write(type, "");
}

const token = /"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*elided\*\/ any|=>|\.\.\.|-?[\w$.]+|[^\s\w]/g;

type Type =
  | { readonly is: "name"; readonly text: string; readonly of: readonly Type[] }
  | { readonly is: "union"; readonly of: readonly Type[] }
  | { readonly is: "both"; readonly of: readonly Type[] }
  | { readonly is: "list"; readonly mark: string; readonly of: Type }
  | { readonly is: "tuple"; readonly of: readonly Member[] }
  | { readonly is: "object"; readonly of: readonly Member[] }
  | { readonly is: "function"; readonly of: readonly Member[]; readonly result: Type };

interface Member {
  /** `readonly name?: `, or nothing in a tuple without names. */
  readonly label: string;
  readonly type: Type;
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
}

function unexpected({ tokens, at }: Reader): Error {
  const near = tokens.slice(Math.max(0, at - 12), at + 4).join(" ");
  return new Error(`The printed type cannot be read near: ${near}`);
}

function take(reader: Reader, wanted: string): boolean {
  if (reader.tokens[reader.at] !== wanted) return false;
  reader.at += 1;
  return true;
}

function need(reader: Reader, wanted: string): void {
  if (!take(reader, wanted)) throw unexpected(reader);
}

function readUnion(reader: Reader): Type {
  take(reader, "|");
  const parts = [readBoth(reader)];
  while (take(reader, "|")) parts.push(readBoth(reader));
  return unionOf(parts);
}

/** `true | false` is `boolean`, and a union in a union is one union. */
function unionOf(parts: readonly Type[]): Type {
  const flat = parts.flatMap((part) => (part.is === "union" ? part.of : [part]));
  const names = new Set(flat.map((part) => (part.is === "name" ? part.text : "")));
  const isBoolean = names.has("true") && names.has("false");
  const rest = flat.filter(
    (part) => !(isBoolean && part.is === "name" && ["true", "false"].includes(part.text)),
  );
  const all = isBoolean ? [...rest, named("boolean")] : rest;
  const [only] = all;
  return only !== undefined && all.length === 1 ? only : { is: "union", of: all };
}

function named(text: string, of: readonly Type[] = []): Type {
  return { is: "name", text, of };
}

function readBoth(reader: Reader): Type {
  const parts = [readPostfix(reader)];
  while (take(reader, "&")) parts.push(readPostfix(reader));
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { is: "both", of: parts };
}

function readPostfix(reader: Reader): Type {
  const mark = take(reader, "readonly") ? "readonly " : "";
  let type = readPrimary(reader);
  while (reader.tokens[reader.at] === "[" && reader.tokens[reader.at + 1] === "]") {
    reader.at += 2;
    type = { is: "list", mark, of: type };
  }
  return type;
}

function readPrimary(reader: Reader): Type {
  if (take(reader, "{")) return { is: "object", of: readMembers(reader, "}") };
  if (take(reader, "[")) return { is: "tuple", of: readMembers(reader, "]") };
  if (reader.tokens[reader.at] === "(") return readParentheses(reader);
  const text = reader.tokens[reader.at] ?? "";
  if (!/^[\w"`$/-]/.test(text)) throw unexpected(reader);
  reader.at += 1;
  if (text === "import") return readImport(reader);
  const of = take(reader, "<") ? readArguments(reader) : [];
  const [inner] = of;
  return text === "As" && inner !== undefined ? inner : named(text, of);
}

/** A type of a package keeps its name. A type of ours must not: its name and path may change. */
function readImport(reader: Reader): Type {
  need(reader, "(");
  const from = reader.tokens[reader.at] ?? "";
  reader.at += 1;
  need(reader, ")");
  const name = (reader.tokens[reader.at] ?? "").replace(/^\./, "");
  reader.at += 1;
  if (from.startsWith('".')) throw new Error(`The type ${name} of ${from} is not expanded.`);
  return named(name, take(reader, "<") ? readArguments(reader) : []);
}

function readArguments(reader: Reader): readonly Type[] {
  const types = [readUnion(reader)];
  while (take(reader, ",")) types.push(readUnion(reader));
  need(reader, ">");
  return types;
}

function readMembers(reader: Reader, end: string): readonly Member[] {
  const members: Member[] = [];
  while (!take(reader, end)) {
    members.push(readMember(reader));
    if (!take(reader, ";")) take(reader, ",");
  }
  return members;
}

/** Reads one member of an object, a tuple or a parameter list. */
function readMember(reader: Reader): Member {
  const next = reader.tokens.slice(reader.at, reader.at + 8).join(" ");
  const label = /^(?:readonly )?(?:\[ \w+ : \w+ \]|(?:\.\.\. )?(?:[\w$]+|"[^"]*")(?: \?)?) :/.exec(
    next,
  )?.[0];
  if (label === undefined) return { label: "", type: readUnion(reader) };
  reader.at += label.split(" ").length;
  const close = label.replaceAll(/ (?=[:?\]])|(?<=\[|\.\.\.) /g, "");
  return { label: `${close} `, type: readUnion(reader) };
}

/** A function's parameters, or a type in parentheses. */
function readParentheses(reader: Reader): Type {
  let depth = 0;
  let end = reader.at;
  do {
    const text = reader.tokens[end] ?? "";
    depth += "([{".includes(text) && text !== "" ? 1 : ")]}".includes(text) && text !== "" ? -1 : 0;
    end += 1;
  } while (depth > 0 && end < reader.tokens.length);
  need(reader, "(");
  if (reader.tokens[end] === "=>") {
    const of = readMembers(reader, ")");
    need(reader, "=>");
    return { is: "function", of, result: readUnion(reader) };
  }
  const type = readUnion(reader);
  need(reader, ")");
  return type;
}

function write(type: Type, indent: string): string {
  switch (type.is) {
    case "name": {
      const inner = type.of.map((each) => write(each, indent));
      if (type.text.startsWith("/*")) return "(itself)";
      return inner.length === 0 ? type.text : `${type.text}<${inner.join(", ")}>`;
    }
    case "union":
    case "both": {
      const parts = type.of.map((each) => wrapped(each, indent, ["function", "union"]));
      return [...new Set(parts)].toSorted().join(type.is === "union" ? " | " : " & ");
    }
    case "list":
      return `${type.mark}${wrapped(type.of, indent, ["function", "union", "both"])}[]`;
    case "tuple":
      return `[${type.of.map((each) => writeMember(each, indent)).join(", ")}]`;
    case "object":
      return writeObject(type.of, indent);
    case "function": {
      const inner = type.of.map((each) => writeMember(each, indent));
      return `(${inner.join(", ")}) => ${write(type.result, indent)}`;
    }
  }
}

function writeMember({ label, type }: Member, indent: string): string {
  return `${label}${write(type, indent)}`;
}

function writeObject(members: readonly Member[], indent: string): string {
  if (members.length === 0) return "{}";
  const deeper = `${indent}  `;
  const lines = members.map((each) => `${deeper}${writeMember(each, deeper)}\n`);
  return `{\n${lines.toSorted().join("")}${indent}}`;
}

function wrapped(type: Type, indent: string, kinds: readonly Type["is"][]): string {
  const text = write(type, indent);
  return kinds.includes(type.is) ? `(${text})` : text;
}
