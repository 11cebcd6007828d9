import assert from "node:assert/strict";
import { test } from "node:test";
import { isWanted } from "./poll-result.ts";

const told = { repo: "querypie/frontend", type: "github.pr.comment" };

test("all is wanted unless it is said what is", () => {
  assert.equal(isWanted(told, {}), true);
  assert.equal(isWanted({ ...told, repo: null }, {}), true);
});

test("repositories and types are named, or begun", () => {
  for (const repos of [["QueryPie/frontend"], ["querypie/*"], ["a/b", "querypie/*"]]) {
    assert.equal(isWanted(told, { repos }), true);
  }
  for (const repos of [[], ["querypie"], ["querypie/front"], ["other/*"]]) {
    assert.equal(isWanted(told, { repos }), false);
  }
  assert.equal(isWanted({ ...told, repo: null }, { repos: ["querypie/*"] }), false);
  assert.equal(isWanted(told, { types: ["github.pr.*"] }), true);
  assert.equal(isWanted(told, { types: ["github.issue.*"] }), false);
});

test("what we did ourselves is no news; whose doing is not known is", () => {
  assert.equal(isWanted({ ...told, actor: "Bot" }, { ours: ["bot"] }), false);
  assert.equal(isWanted({ ...told, actor: "mina" }, { ours: ["bot"] }), true);
  assert.equal(isWanted(told, { ours: ["bot"] }), true);
});
