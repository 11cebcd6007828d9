import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config } from "../../app/config/config.ts";
import { loadConfig } from "../../app/config/load.ts";

function load(text: string, env: Readonly<Record<string, string>> = {}): Config {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  return loadConfig({ env, flags: {}, cwd: "/place", isTerminal: false, readText }).config;
}

describe("sources", () => {
  test("are what they are called, unless they say what they are", () => {
    const text = `
sources:
  github: { token: { env: T }, ours: [bot] }
  work: { kind: github, token: { env: T }, api: "https://git.example/api/v3/", every: 2m, owner: mina, repos: [a/*], types: [github.pr.*] }
  jira: { url: "https://acme.example/", email: me@acme.example, token: { env: T }, jql: project = A }
  box: { kind: directory, folder: ./in }
  slack: {}`;
    assert.deepEqual(load(text, { T: "t_1" }).sources, [
      { name: "github", owner: "me", everyMs: 60_000, ours: ["bot"], kind: "github", token: "t_1" },
      {
        name: "work",
        owner: "mina",
        everyMs: 120_000,
        repos: ["a/*"],
        types: ["github.pr.*"],
        kind: "github",
        token: "t_1",
        api: "https://git.example/api/v3",
      },
      {
        name: "jira",
        owner: "me",
        everyMs: 300_000,
        kind: "jira",
        url: "https://acme.example",
        email: "me@acme.example",
        token: "t_1",
        jql: "project = A",
      },
      { name: "box", owner: "me", everyMs: 10_000, kind: "directory", folder: "/place/in" },
      { name: "slack", owner: "me", everyMs: 60_000, kind: "slack" },
    ]);
  });
  const wrong: [text: string, says: RegExp][] = [
    ["sources: { github: {} }", /:1:12 {2}sources\.github\.token is missing: a github source/],
    ["sources: { github: { token: { env: NONE } } }", /token needs the variable NONE: set it/],
    ["sources: { x: { token: a } }", /sources\.x\.kind is missing: write "github", "jira"/],
    ["sources: { x: { kind: svn } }", /sources\.x\.kind is "svn": write "github", "jira"/],
    ["sources: { x: { kind: slack, folder: a } }", /x\.folder does not apply to a slack source/],
    ["sources: { X: { kind: slack } }", /sources\.X has an invalid name/],
    [
      "sources: { x: { kind: jira, url: https://a.example, email: a@b, token: c, jql: a ORDER BY b } }",
      /jql is "a ORDER BY b": write a query .* without an ORDER BY/,
    ],
    ["sources: { x: { kind: slack, owner: daybook } }", /owner is "daybook", which is reserved/],
    ["sources: { x: { kind: directory, folder: a, every: 0s } }", /every is "0s": write a length/],
    ["sources: { x: { kind: slack, types: [A*] } }", /types\[0\] is "A\*": write a list/],
  ];
  for (const [text, says] of wrong) {
    test(`${text} is refused`, () => assert.throws(() => load(text), { message: says }));
  }
});

describe("hooks", () => {
  test("prove themselves as their kind does, by either secret", () => {
    const text = `
hooks:
  github: { secret: { env: A }, repos: [acme/shop] }
  bank: { kind: standard, secret: whsec_${"b".repeat(32)}, owner: mina }
  cloud: { kind: cloudevents, secret: { env: A }, previousSecret: { env: B } }
  own: { kind: token, secret: { env: A } }`;
    assert.deepEqual(load(text, { A: "a_1", B: "b_1" }).hooks, [
      { name: "github", verify: "hub", secrets: ["a_1"], owner: "me", repos: ["acme/shop"] },
      { name: "bank", verify: "standard", secrets: [`whsec_${"b".repeat(32)}`], owner: "mina" },
      { name: "cloud", verify: "bearer", secrets: ["a_1", "b_1"], owner: "me" },
      { name: "own", verify: "bearer", secrets: ["a_1"], owner: "me" },
    ]);
  });
  const wrong: [text: string, says: RegExp][] = [
    ["hooks: { github: {} }", /hooks\.github\.secret is missing: write \{ env: NAME \}/],
    ["hooks: { x: { secret: a } }", /hooks\.x\.kind is missing: write "github", "standard"/],
    ["hooks: { x: { kind: standard, secret: a } }", /hooks\.x\.secret cannot sign: give it whsec_/],
  ];
  for (const [text, says] of wrong) {
    test(`${text} is refused`, () => assert.throws(() => load(text), { message: says }));
  }
});

describe("how much the machine may have to do", () => {
  test("is set one by one", () => {
    const { health, runners } = load("health: { red: { disk: 99 } }\nrunners: { max: 7 }");
    assert.deepEqual(health, {
      yellow: { cpu: 60, memory: 60, disk: 85 },
      red: { cpu: 80, memory: 80, disk: 99 },
    });
    assert.equal(runners.max, 7);
  });
  test("does not turn red before it is yellow", () => {
    assert.throws(() => load("health: { yellow: { cpu: 90 } }"), {
      message: /:1:1 {2}health has cpu red over 80 and yellow over 90: raise health\.red\.cpu/,
    });
  });
});
