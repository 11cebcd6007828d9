import assert from "node:assert/strict";
import { test } from "node:test";
import { en } from "./texts-en.ts";
import { ko } from "./texts-ko.ts";

test("every sentence is said in both languages, and no two are the same", () => {
  assert.deepEqual(Object.keys(ko).toSorted(), Object.keys(en).toSorted());
  for (const name of Object.keys(en) as (keyof typeof en)[]) {
    // A sentence is told from its source when it takes facts: the source holds the words.
    const [english, korean] = [en[name], ko[name]].map((text) =>
      typeof text === "object" ? JSON.stringify(text) : String(text),
    );
    assert.notEqual(english, korean, name);
    assert.match(korean ?? "", /\p{Script=Hangul}/u, name);
    assert.doesNotMatch(english ?? "", /\p{Script=Hangul}/u, name);
  }
});
