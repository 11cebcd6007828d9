import * as ts from "typescript/unstable/ast";
import { withProgram, type Fn, type Program } from "./program.ts";

/** A sentence of an error as it stands in the source; `{}` stands for a value. */
export interface Sentence {
  readonly text: string;
  readonly file: string;
}

type Texts = readonly string[];

/**
 * Reads the sentences of all errors from the source. The text of an error is followed through constants, functions and
 * parameters. A part that stands for a value is `{}`; the texts that such a part can have are sentences too.
 */
export function errorSentences(root: string): readonly Sentence[] {
  return withProgram(root, (program) => {
    const found = new Map<string, Sentence>();
    const keep = (texts: Texts, file: string): void => {
      for (const text of texts.flatMap((each) => each.split("\n"))) {
        if (hasWords(text) && !found.has(text)) found.set(text, { text, file });
      }
    };
    const follow = follower(program, keep);
    for (const { node, file } of program.messages) keep(follow(node, file), file);
    return [...found.values()];
  });
}

/** A text with two words, or a word and a value: not a name, a path or a unit. */
function hasWords(text: string): boolean {
  const letters = text.replaceAll(/\{\}|[^a-z]/gi, "");
  return letters.length > 3 && /[a-z{}"][,:.]? [a-z{"]/i.test(text);
}

type Follow = (node: ts.Expression, file: string) => Texts;
type Keep = (texts: Texts, file: string) => void;

/** Finds the texts that an expression can have. Each place is followed once: what leads back to it adds nothing. */
function follower(program: Program, keep: Keep): Follow {
  const known = new Map<string, Texts>();
  const once = (node: ts.Node, file: string, read: () => Texts): Texts => {
    const place = `${file}:${node.pos}:${node.end}:${node.kind}`;
    const before = known.get(place);
    if (before !== undefined) return before;
    known.set(place, []);
    const texts = [...new Set(read())];
    known.set(place, texts);
    return texts;
  };
  const results = (fn: Fn, file: string): Texts =>
    resultsOf(fn).flatMap((each) => follow(each, file));
  const follow: Follow = (node, file) =>
    once(node, file, () => {
      if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
      if (ts.isTemplateExpression(node)) return templateTexts(node, file, { follow, keep });
      if (ts.isCallExpression(node)) return called(node, file);
      if (ts.isArrowFunction(node)) return results(node, file);
      if (ts.isIdentifier(node)) return named(node, file);
      return partsOf(node).flatMap((each) => follow(each, file));
    });
  const called = (call: ts.CallExpression, file: string): Texts => {
    const callee = call.expression;
    if (ts.isIdentifier(callee)) {
      const functions = program.functions(callee.text, file);
      return functions.flatMap(({ node, file: at }) => once(node, at, () => results(node, at)));
    }
    if (!ts.isPropertyAccessExpression(callee)) return [];
    const isMap = ["map", "flatMap"].includes(callee.name.text);
    const parts = [callee.expression, ...(isMap ? call.arguments : [])];
    const texts = parts.flatMap((each) => follow(each, file));
    if (callee.name.text !== "join") return texts;
    keep(texts, file); // each is a sentence of the joined text
    return [];
  };
  /** What a name stands for: a parameter or a constant around it, or a constant of another file. */
  const named = (name: ts.Identifier, file: string): Texts => {
    const around = declarationOf(name);
    if (around === undefined) {
      const constants = program.constants(name.text, file);
      return constants.flatMap((each) => follow(each.node, each.file));
    }
    if ("value" in around) return follow(around.value, file);
    const { fn, at } = around;
    return program.calls(fn, file).flatMap((call) => {
      const given = call.node.arguments[at] ?? fn.parameters[at]?.initializer;
      return given === undefined ? [] : follow(given, call.file);
    });
  };
  return follow;
}

/** The texts of a template. A frame without words, such as `${value} ${problem}.`, is a sentence with each of its problems. */
function templateTexts(
  node: ts.TemplateExpression,
  file: string,
  { follow, keep }: { follow: Follow; keep: Keep },
): Texts {
  const spans = node.templateSpans.map(({ expression, literal }) => ({
    texts: follow(expression, file),
    end: literal.text,
  }));
  const frame = node.head.text + spans.map(({ end }) => `{}${end}`).join("");
  if (hasWords(frame)) for (const { texts } of spans) keep(texts, file);
  if (!/^[{} .]*$/.test(frame)) return [frame];
  return spans.reduce<Texts>(
    (begun, { texts, end }) => {
      const worded = texts.filter(hasWords);
      const parts = worded.length > 0 ? worded : ["{}"];
      return begun.flatMap((start) => parts.map((part) => `${start}${part}${end}`));
    },
    [node.head.text],
  );
}

/** The expressions whose texts an expression can have. */
function partsOf(node: ts.Expression): readonly ts.Expression[] {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return [node.expression];
  if (ts.isElementAccessExpression(node) || ts.isSpreadElement(node)) return [node.expression];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (ts.isBinaryExpression(node)) return [node.left, node.right];
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((each) =>
    ts.isPropertyAssignment(each) ? [each.initializer] : [],
  );
}

/** What a function returns. */
function resultsOf({ body }: Fn): readonly ts.Expression[] {
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const results: ts.Expression[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isReturnStatement(node)) results.push(...(node.expression ? [node.expression] : []));
    else if (!ts.isFunctionDeclaration(node) && !ts.isArrowFunction(node)) node.forEachChild(walk);
  };
  walk(body);
  return results;
}

type Declaration = { readonly value: ts.Expression } | { readonly fn: Fn; readonly at: number };

/** The nearest constant or parameter of this name around a place. */
function declarationOf({ text, parent }: ts.Identifier): Declaration | undefined {
  for (let node: ts.Node | undefined = parent; node !== undefined; node = node.parent) {
    if (ts.isFunctionDeclaration(node) || ts.isArrowFunction(node)) {
      const at = node.parameters.findIndex(
        ({ name }) => ts.isIdentifier(name) && name.text === text,
      );
      if (at !== -1) return { fn: node, at };
    }
    const value = ts.isBlock(node) || ts.isSourceFile(node) ? constantIn(node, text) : undefined;
    if (value !== undefined) return { value };
  }
  return undefined;
}

function constantIn(block: ts.Block | ts.SourceFile, text: string): ts.Expression | undefined {
  const all = block.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  return all.find(({ name }) => ts.isIdentifier(name) && name.text === text)?.initializer;
}
