import assert from "node:assert/strict";
import { test } from "node:test";
import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";
import { textsOf } from "./texts.ts";

testTexts(
  { en, ko },
  {
    setting: [{ name: "home", value: "V", from: "profile" }],
    tokenCreated: [{ owner: "O", scopes: "S" }],
    tokenCreatedBefore: [{ owner: "O", scopes: "S" }],
    noTokens: [],
    tokenRevoked: [],
    loginLink: [{ url: "U", minutes: 10 }],
    linkCode: [{ message: "M", owner: "O", minutes: 15 }],
    noPeople: [],
    personUnlinked: [],
  },
);

test("the line of an unset home names the inbox", () => {
  const home = { name: "home", value: null, from: "setting" } as const;
  assert.equal(textsOf("en").setting(home), "home        the inbox (this installation's)");
  assert.equal(textsOf("ko").setting(home), "기본 대상: 받은함 (Daybook의 설정)");
});
