import assert from "node:assert/strict";
import { test } from "node:test";
import { welcomeText } from "./welcome.ts";

test("a daemon's first message differs between the languages", () => {
  const [en, ko] = [welcomeText("en"), welcomeText("ko")];
  assert.notEqual(en, ko);
  assert.match(ko, /\p{Script=Hangul}/u);
});
