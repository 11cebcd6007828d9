/** How a stretch of text is shown. */
export type Mark =
  | "bold"
  | "italic"
  | "strike"
  | "code"
  | "quote"
  | { readonly link: string }
  /** Lines of code, and their language or "". */
  | { readonly pre: string };

/** A stretch of visible text under the same marks, outermost first. */
export interface Run {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** A text with formatting: what is visible is the texts one after the other. */
export type Rich = readonly Run[];

export function visible(rich: Rich): string {
  return rich.map((run) => run.text).join("");
}

/** Whether nothing in it is marked: that of long texts is written without a look at each line. */
export function isPlain(rich: Rich): boolean {
  return rich.every(({ marks }) => marks.length === 0);
}

export function linkIn(marks: readonly Mark[]): string | undefined {
  return marks.find((mark) => typeof mark !== "string" && "link" in mark)?.link;
}

export function preIn(marks: readonly Mark[]): string | undefined {
  return marks.find((mark) => typeof mark !== "string" && "pre" in mark)?.pre;
}

/** With one mark more, inside the others. What is bold twice is bold. */
export function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  return marks.some((each) => kindOf(each) === kindOf(mark)) ? marks : [...marks, mark];
}

/**
 * The marks as every chat can show them: each once, a quote around the others, then a link. Code
 * takes no other marks but a quote, lines of code none at all, and a link counts more than code.
 */
export function sober(marks: readonly Mark[]): readonly Mark[] {
  const pre = preIn(marks);
  if (pre !== undefined) return [{ pre }];
  const link = linkIn(marks);
  const rest = marks.filter((mark) => typeof mark === "string" && mark !== "quote");
  const isCode = link === undefined && rest.includes("code");
  return [
    ...(marks.includes("quote") ? (["quote"] as const) : []),
    ...(link === undefined ? [] : [{ link }]),
    ...(isCode ? (["code"] as const) : new Set(rest.filter((mark) => mark !== "code"))),
  ];
}

/** How many marks both begin with. */
export function commonMarks(some: readonly Mark[], others: readonly Mark[]): number {
  const end = some.findIndex((mark, at) => !isSame(mark, others[at]));
  return end === -1 ? some.length : end;
}

/** The same in as few runs as it takes. */
export function joined(rich: Rich): Rich {
  const runs: { marks: readonly Mark[]; texts: string[] }[] = [];
  for (const { text, marks } of rich) {
    if (text === "") continue;
    const last = runs.at(-1);
    const isAlike =
      last?.marks.length === marks.length && commonMarks(marks, last.marks) === marks.length;
    if (isAlike) last.texts.push(text);
    else runs.push({ marks, texts: [text] });
  }
  return runs.map(({ marks, texts }) => ({ text: texts.join(""), marks }));
}

function kindOf(mark: Mark): string {
  return typeof mark === "string" ? mark : "link" in mark ? "link" : "pre";
}

function isSame(one: Mark, other: Mark | undefined): boolean {
  if (typeof one === "string" || other === undefined || typeof other === "string") {
    return one === other;
  }
  return linkIn([one]) === linkIn([other]) && preIn([one]) === preIn([other]);
}
