import { join, relative } from "node:path";
import * as ts from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** A part of a source file. */
export interface Located<Node extends ts.Node> {
  readonly node: Node;
  readonly file: string;
}

export type Fn = ts.FunctionDeclaration | ts.ArrowFunction;

/** What the source declares and calls, by names. A name means that of its own file, else one that the file imports. */
export interface Program {
  /** The texts that errors are made with. */
  readonly messages: readonly Located<ts.Expression>[];
  functions(name: string, file: string): readonly Located<Fn>[];
  constants(name: string, file: string): readonly Located<ts.Expression>[];
  /** The calls of a function of a file, and in those that import it. */
  calls(fn: Fn, file: string): readonly Located<ts.CallExpression>[];
}

type Named<Node extends ts.Node> = Map<string, Located<Node>[]>;

interface Index {
  readonly messages: Located<ts.Expression>[];
  readonly functions: Named<Fn>;
  readonly constants: Named<ts.Expression>;
  readonly calls: Named<ts.CallExpression>;
}

/** Reads the shipped source, without texts for people, and gives it to `use`. */
export function withProgram<Result>(root: string, use: (program: Program) => Result): Result {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProject: join(root, "tsconfig.json") });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error("tsconfig.json has no project.");
    const index: Index = {
      messages: [],
      functions: new Map(),
      constants: new Map(),
      calls: new Map(),
    };
    const imported = new Map<string, ReadonlySet<string>>();
    for (const name of project.program.getSourceFileNames()) {
      const file = relative(join(root, "src"), name);
      const source = isRead(file) ? project.program.getSourceFile(name) : undefined;
      if (source === undefined) continue;
      imported.set(file, importsIn(source.text));
      addTo(index, source, file);
    }
    return use(programOf(index, imported));
  } finally {
    api.close();
  }
}

/** Not tests, not texts for people, and not what renders values. */
function isRead(file: string): boolean {
  return (
    !/^\.\.|^testing\/|\.test\.ts$|\.json$|(?:^|[/-])(?:en|ko)\.ts$/.test(file) &&
    !/^platform\/markup\/|^time\/cadence\/(?:render|wording|wall|pattern)\.ts/.test(file)
  );
}

function importsIn(text: string): ReadonlySet<string> {
  const lists = text.matchAll(/import (?:type )?(?:\w+, )?\{([^}]*)\}/g);
  const names = Array.from(lists, ([, list = ""]) => list.split(","));
  return new Set(names.flat().map((name) => name.trim()));
}

function programOf(index: Index, imported: ReadonlyMap<string, ReadonlySet<string>>): Program {
  const visible = <Node extends ts.Node>(all: Named<Node>, name: string, file: string) => {
    const found = all.get(name) ?? [];
    const own = found.filter((each) => each.file === file);
    return own.length > 0 || imported.get(file)?.has(name) !== true ? own : found;
  };
  return {
    messages: index.messages,
    functions: (name, file) => visible(index.functions, name, file),
    constants: (name, file) => visible(index.constants, name, file),
    calls(fn, file) {
      const name = nameOf(fn) ?? "";
      const isExported = fn.getText().startsWith("export ");
      return (index.calls.get(name) ?? []).filter(
        (each) => each.file === file || (isExported && imported.get(each.file)?.has(name)),
      );
    },
  };
}

function nameOf(fn: Fn): string | undefined {
  if (ts.isFunctionDeclaration(fn)) return fn.name?.text;
  const { parent } = fn;
  const isNamed = ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name);
  return isNamed ? parent.name.getText() : undefined;
}

/** The place of the text among the arguments of an error. */
const textAt: Readonly<Record<string, number>> = { DaybookError: 1, HttpError: 2 };

function addTo(index: Index, node: ts.Node, file: string): void {
  index.messages.push(...messagesIn(node).map((message) => ({ node: message, file })));
  if (ts.isFunctionDeclaration(node) && node.name) add(index.functions, node.name, node, file);
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
    const { name, initializer } = node;
    if (ts.isArrowFunction(initializer)) add(index.functions, name, initializer, file);
    else add(index.constants, name, initializer, file);
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    add(index.calls, node.expression, node, file);
  }
  node.forEachChild((child) => addTo(index, child, file));
}

/** The text of an error, of a shape that a schema checks, of a limit that owners have, and the title of a problem. */
function messagesIn(node: ts.Node): readonly ts.Expression[] {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
    const at = textAt[node.expression.text];
    const text = at === undefined ? undefined : node.arguments?.[at];
    return text === undefined ? [] : [text];
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return node.expression.name.text === "regex" ? node.arguments.slice(1) : [];
  }
  if (!ts.isObjectLiteralExpression(node)) return [];
  const properties = node.properties.filter((each) => ts.isPropertyAssignment(each));
  const named = (...names: readonly string[]): readonly ts.Expression[] =>
    properties.flatMap(({ name, initializer }) =>
      names.includes(name.getText()) ? [initializer] : [],
    );
  const limit = named("plural", "advice");
  if (limit.length === 2) return limit;
  return named("status").length === 1 ? named("title") : [];
}

function add<Node extends ts.Node>(
  all: Named<Node>,
  { text }: ts.Identifier,
  node: Node,
  file: string,
): void {
  const list = all.get(text) ?? [];
  all.set(text, [...list, { node, file }]);
}
