import assert from "node:assert/strict";
import { test } from "node:test";
import type { Language } from "../../platform/language.ts";
import { acceptedLanguage } from "./language.ts";

const cases: [header: string | undefined, language: Language | undefined][] = [
  [undefined, undefined],
  ["*", undefined],
  ["de", undefined],
  ["ko", "ko"],
  ["ko-KR,ko;q=0.9,en-US;q=0.8", "ko"],
  ["en;q=0.5, KO ; q=0.9", "ko"],
  ["fr, en-GB;q=0.7, ko;q=0.7", "en"],
  ["ko;q=0, en", "en"],
  ["korean", undefined],
];
for (const [header, language] of cases) {
  test(`Accept-Language ${header} prefers ${language}`, () => {
    const headers = header === undefined ? {} : { "accept-language": header };
    assert.equal(acceptedLanguage(new Request("http://x/", { headers })), language);
  });
}
