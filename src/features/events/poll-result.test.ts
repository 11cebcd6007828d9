import assert from "node:assert/strict";
import { test } from "node:test";
import { isWanted } from "./poll-result.ts";

const told = { repo: "querypie/frontend", type: "github.pr.comment" };

test("an empty filter matches every event", () => {
  assert.equal(isWanted(told, {}), true);
  assert.equal(isWanted({ ...told, repo: null }, {}), true);
});

test("a filter matches names and prefixes of repositories and types", () => {
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

test("events of our own accounts are dropped, events without an actor are not", () => {
  assert.equal(isWanted({ ...told, actor: "Bot" }, { ours: ["bot"] }), false);
  assert.equal(isWanted({ ...told, actor: "mina" }, { ours: ["bot"] }), true);
  assert.equal(isWanted(told, { ours: ["bot"] }), true);
});
