import assert from "node:assert/strict";
import { test } from "node:test";
import { translator } from "./sentences.ts";

const translate = translator([
  {
    'There is no {kind} "{id}".': '없음({kind}): "{id}".',
    'There is no {kind} "{id}" here: {advice}': '여기에 없음({kind}): "{id}". {advice}',
    'did you mean "{name}"?': '혹시 "{name}" 아닌가요?',
    '"{name}" is missing: {what}': '"{name}" 값이 없습니다: {what}',
    '"{name}" must be at most {max}': '"{name}" 값은 {max} 이하여야 합니다',
    "the text; - reads the input": "내용. -는 입력에서 읽습니다",
    "It is over.": "끝났습니다.",
    page: "페이지",
    question: "질문",
    "{file} must name a {kind}.": "{file:에는/는} 읽지 않습니다.",
    "{a} replaces {b}.": "{a:이/가} {b:을/를} 대신합니다.",
    'The {kind} "{id}" goes to {"target"}.': '{kind:은/는} {id:을/를} {"target":으로/로} 보냅니다.',
    '{x} is in {"y"}: {z}': '{"y"} 안에 {x}: {z}',
  },
]);

const cases: [name: string, sentence: string, translation: string][] = [
  ["a fixed sentence", "It is over.", "끝났습니다."],
  ["values, of which one is a known word", 'There is no page "a".', '없음(페이지): "a".'],
  [
    "the most particular entry, and a clause within",
    'There is no page "a" here: did you mean "b"?',
    '여기에 없음(페이지): "a". 혹시 "b" 아닌가요?',
  ],
  ["a value that is a sentence of ours", 'There is no x "It is over.".', '없음(x): "It is over.".'],
  ["a clause with a full stop", '"n" must be at most 3.', '"n" 값은 3 이하여야 합니다.'],
  ["a flag in place of a name", "--n must be at most 3.", "--n 값은 3 이하여야 합니다."],
  [
    "several problems, one with a semicolon of its own",
    '"a" is missing: the text; - reads the input; "n" must be at most 3.',
    '"a" 값이 없습니다: 내용. -는 입력에서 읽습니다; "n" 값은 3 이하여야 합니다.',
  ],
  ["a word only where a word stands", 'There is no page "page".', '없음(페이지): "page".'],
  ["a value with quotes in it", '"a b" is in "c d": page', '"c d" 안에 "a b": page'],
  [
    "values with the particles that they take",
    "backup replaces report.",
    "backup이 report를 대신합니다.",
  ],
  [
    "particles after translated words and quoted values",
    'The question "보고" goes to "telegram:1".',
    '질문은 "보고"를 "telegram:1"로 보냅니다.',
  ],
  ["a particle that is none, which shows", "x must name a y.", "{file:에는/는} 읽지 않습니다."],
  ["lines", "It is over.\nNobody knows.", "끝났습니다.\nNobody knows."],
  ["a sentence of nobody", "What is this?", "What is this?"],
];
for (const [name, sentence, translation] of cases) {
  test(`translate ${name}`, () => assert.equal(translate(sentence), translation));
}
