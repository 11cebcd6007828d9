import assert from "node:assert/strict";
import { test } from "node:test";
import { isNews } from "./filter.ts";

const told = { repo: "querypie/frontend", type: "github.pr.comment" };

test("all is wanted unless it is said what is", () => {
  assert.equal(isNews(told, {}), true);
  assert.equal(isNews({ ...told, repo: null }, {}), true);
});

test("repositories and types are named, or begun", () => {
  for (const repos of [["QueryPie/frontend"], ["querypie/*"], ["a/b", "querypie/*"]]) {
    assert.equal(isNews(told, { repos }), true);
  }
  for (const repos of [[], ["querypie"], ["querypie/front"], ["other/*"]]) {
    assert.equal(isNews(told, { repos }), false);
  }
  assert.equal(isNews({ ...told, repo: null }, { repos: ["querypie/*"] }), false);
  assert.equal(isNews(told, { types: ["github.pr.*"] }), true);
  assert.equal(isNews(told, { types: ["github.issue.*"] }), false);
});

test("what we did ourselves is no news; whose doing is not known is", () => {
  assert.equal(isNews({ ...told, actor: "Bot" }, { ours: ["bot"] }), false);
  assert.equal(isNews({ ...told, actor: "mina" }, { ours: ["bot"] }), true);
  assert.equal(isNews(told, { ours: ["bot"] }), true);
});
