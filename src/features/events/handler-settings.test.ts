import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadConfig, type Loaded } from "../../app/config/load.ts";

function load(text: string, env: Readonly<Record<string, string>> = {}): Loaded {
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  return loadConfig({ env, flags: {}, cwd: "/place", isTerminal: false, readText });
}

function handlersIn(text: string, env?: Readonly<Record<string, string>>) {
  return load(text, env).config.handlers;
}

const signs = `whsec_${"a".repeat(32)}`;
const plain = { timeoutMs: 1_800_000, retries: 2, target: null, channels: [], repo: null };

describe("a handler", () => {
  test("has nothing to say but its type, and is then worked by others", () => {
    assert.deepEqual(handlersIn("handlers: { gen-pr: { subscribes: [github.pr.comment] } }"), [
      { name: "gen-pr", subscribes: ["github.pr.comment"], ...plain },
    ]);
  });
  test("has all that is said, in the order of the file", () => {
    const text = `
runners: { command: { allow: [./jobs/*] }, agent: { baseUrl: https://a.example, model: b } }
handlers:
  z-first:
    subscribes: [a.b, a.c]
    run: { command: [./jobs/a.sh, "{{payload.x}}"], cwd: /tmp }
    timeout: 90
    retries: 0
    retry: { first: 10s, factor: 3 }
    rate: 10/m
    channel: C012
    channels: [C034, "ntfy:phone"]
    repo: acme/shop
  a-second: { subscribes: [d], run: { agent: " look " }, timeout: 2h, channel: "telegram:5:6" }
  m-third: { subscribes: [e], run: { http: "https://a.example/x", secret: { env: SIGN } } }
  b-fourth: { subscribes: [f], run: { task: answer, input: [1] } }`;
    assert.deepEqual(handlersIn(text, { SIGN: signs }), [
      {
        name: "z-first",
        subscribes: ["a.b", "a.c"],
        run: { command: ["./jobs/a.sh", "{{payload.x}}"], cwd: "/tmp" },
        timeoutMs: 90_000,
        retries: 0,
        pauses: { firstMs: 10_000, factor: 3, maxMs: 3_600_000 },
        rate: { max: 10, windowMs: 60_000 },
        target: "slack:C012",
        channels: ["slack:C034", "ntfy:phone"],
        repo: "acme/shop",
      },
      {
        ...plain,
        name: "a-second",
        subscribes: ["d"],
        run: { agent: "look" },
        timeoutMs: 7_200_000,
        target: "telegram:5:6",
      },
      {
        ...plain,
        name: "m-third",
        subscribes: ["e"],
        run: { http: "https://a.example/x", secret: signs },
      },
      { ...plain, name: "b-fourth", subscribes: ["f"], run: { task: "answer", input: [1] } },
    ]);
  });
  test("whose command is allowed by a variable is right", () => {
    const text = "handlers: { a: { run: { command: [backup] } } }";
    for (const allowed of ["1", "all", "back*"]) {
      assert.equal(handlersIn(text, { DAYBOOK_ALLOW_COMMANDS: allowed }).length, 1);
    }
  });
});

test("a function is warned of, since a daemon has none: an app that embeds the book may", () => {
  const { warnings } = load("handlers: { a: { run: { task: tidy } } }");
  assert.deepEqual(warnings, [
    'daybook.yaml:1:25  handlers.a.run.task is "tidy": no function of this name runs here; an app that embeds this book may have it',
  ]);
});

test("a command that this shell does not allow is warned of: a daemon elsewhere may", () => {
  const { warnings } = load("handlers: { a: { run: { command: [./x.sh] } } }");
  assert.deepEqual(warnings, [
    "daybook.yaml:1:25  handlers.a.run.command is not allowed to run here: put allow: [./x.sh] under runners.command, or set DAYBOOK_ALLOW_COMMANDS",
  ]);
});

describe("what is wrong with a handler is told with its place", () => {
  const wrong: [text: string, says: RegExp][] = [
    [
      "handlers:\n  a: { subscribes: [x.y] }\n  b: { subscribes: [z, x.y] }",
      /^daybook\.yaml:3:24 {2}handlers\.b\.subscribes\[1\] is "x\.y", which handlers\.a subscribes to already/,
    ],
    ["handlers: { a: { subscribes: [x, x] } }", /^daybook\.yaml:1:34 .*\[1\] is "x" again: leave/],
    ["handlers: { a: { subscribes: [X Y] } }", /:1:31 .*\[0\] is "X Y": write a list of types/],
    ["handlers: { a: { subscribes: [x.*] } }", /\[0\] is "x\.\*": write a list of types/],
    ["handlers: { A: {} }", /:1:13 {2}handlers\.A has an invalid name: write .* gen-pr/],
    ["handlers: { a: { run: { agent: hi } } }", /run\.agent needs an agent: set runners\.agent/],
    ["handlers: { a: { run: { task: http } } }", /run\.task is "http", which is a built-in runner/],
    ["handlers: { a: { run: {} } }", /a\.run sets nothing to run: write \{ command/],
    [
      "handlers: { a: { run: { task: b, cwd: c } } }",
      /run\.cwd belongs to command, which is not set: leave it out/,
    ],
    [
      "handlers: { a: { run: { task: b, agent: c } } }",
      /a\.run sets agent and task: write \{ command/,
    ],
    [
      "handlers: { a: { run: { http: 'https://a.example' } } }",
      /run\.secret is missing: write \{ env: NAME \}/,
    ],
    [
      "handlers: { a: { run: { http: 'https://a.example', secret: short } } }",
      /run\.secret cannot sign: give it whsec_/,
    ],
    [
      `handlers: { a: { run: { http: 'http://10.0.0.1', secret: ${signs} } } }`,
      /run\.http cannot be called\. The URL is not https/,
    ],
    ["handlers: { a: { timeout: soon } }", /timeout is "soon": write a length of time/],
    ["handlers: { a: { timeout: 8d } }", /timeout is "8d": .* at most 7 days/],
    ["handlers: { a: { rate: 10/m } }", /rate limits what runs here, and run is not set/],
    ["handlers: { a: { run: { agent: x }, rate: 10 per m } }", /rate is .*1000 and m, h or d/],
    ["handlers: { a: { retry: { first: 0 } } }", /retry\.first is 0: write a length of time/],
    ["handlers: { a: { retry: { factor: 0.5 } } }", /factor is 0\.5: write a number from 1 to 10/],
    ["handlers: { a: { retries: -1 } }", /retries is -1: write a whole number from 0 to 20/],
    ["handlers: { a: { channel: general } }", /channel is "general": write a Slack channel/],
    ["handlers: { a: { channels: ['#x'] } }", /channels\[0\] is "#x": write a list of Slack/],
    ["handlers: { a: { schedules: { b: { type: c } } } }", /schedules\.b\.when is missing/],
    ["handlers: { a: { schedules: { b: { when: daily 9am } } } }", /schedules\.b\.type is missing/],
    [
      "handlers: { a: { schedules: { b: { when: daily 9am, type: c, payload: [1] } } } }",
      /payload is a list: write keys and values/,
    ],
    ["handlers: { a: { subscribe: [b] } }", /unknown key "subscribe" in handlers\.a: did you mean/],
  ];
  for (const [text, says] of wrong) {
    test(text.replaceAll("\n", " ⏎ "), () => assert.throws(() => load(text), { message: says }));
  }
  test("and all of it at once", () => {
    const text =
      "handlers:\n  a: { subscribes: [X], run: { agent: b } }\n  c: { subscribes: [X], timeout: d }";
    assert.throws(
      () => load(text),
      ({ message }: Error) => {
        assert.equal(message.split("\n").length, 5);
        return true;
      },
    );
  });
});

describe("a handler's schedule", () => {
  const text = `
channels: { slack: { defaultChannel: C9 } }
handlers:
  gen-a:
    repo: acme/a
    schedules:
      daily: { when: daily 9am, type: report, payload: { days: 1 } }
  gen-b:
    channel: C1
    schedules:
      daily: { cadence: { type: interval, every: 2h }, type: look, repo: acme/b }`;
  test("is a schedule under a name that no other has, and says where it stands", () => {
    const { schedules } = load(text).config;
    assert.deepEqual(Object.keys(schedules), ["gen-a:daily", "gen-b:daily"]);
    const { place, target, notify, when, of } = schedules["gen-a:daily"] ?? {};
    assert.deepEqual(
      [place, target, notify, when],
      ["daybook.yaml:7:7", "slack:C9", "never", "daily 9am"],
    );
    assert.deepEqual(
      [of?.handler.name, of?.taskType, of?.payload, of?.repo],
      ["gen-a", "report", { days: 1 }, "acme/a"],
    );
    const other = schedules["gen-b:daily"];
    assert.deepEqual([other?.target, other?.of?.repo], ["slack:C1", "acme/b"]);
  });
  test("that nobody set a place for speaks in the inbox", () => {
    const { schedules } = load(
      "handlers: { a: { schedules: { b: { when: daily 9am, type: c } } } }",
    ).config;
    assert.equal(schedules["a:b"]?.target, "inbox:me");
  });
});

describe("where work speaks that no chat asked for", () => {
  test("is the file's channel, the variable's before that, and nowhere unless said", () => {
    const text = "channels: { slack: { defaultChannel: C1 } }";
    assert.equal(load(text).config.channels.defaultTarget, "slack:C1");
    assert.equal(
      load(text, { SLACK_DEFAULT_CHANNEL: "C2" }).config.channels.defaultTarget,
      "slack:C2",
    );
    assert.equal(
      load("", { SLACK_DEFAULT_CHANNEL: "C2" }).config.channels.defaultTarget,
      "slack:C2",
    );
    assert.equal(load("").config.channels.defaultTarget, null);
  });
  test("sets up no Slack by itself", () => {
    const { channels } = load("", { SLACK_DEFAULT_CHANNEL: "C2" }).config;
    assert.equal(channels.slack, undefined);
  });
});
