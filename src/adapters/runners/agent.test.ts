import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { handClock } from "../../../test/hand-clock.ts";
import type { Job, Ran } from "../../features/tasks/runner.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { Json } from "../../platform/json.ts";
import type { Behaviour } from "../../testing/channels/receiver.ts";
import { jobOf, runContext, runnerSuite } from "../../testing/runners/conformance.ts";
import { openAiServer, type Reply } from "../../testing/runners/openai-server.ts";
import { agentModel } from "./agent-model.ts";
import type { AgentTool } from "./agent-turns.ts";
import { agentRunner } from "./agent.ts";

type Options = Parameters<typeof agentRunner>[0];

const key = "sk-0123456789abcdef";
const prices = { inputPerMillion: 1_000, outputPerMillion: 10_000 };

const slot = {
  schedule: "s-1",
  name: "news",
  at: 1_800_000_000_000,
  because: "cadence",
  notify: "always",
  rerun: false,
} as const;

const profile = () => Promise.resolve({ zone: "Asia/Seoul", language: "ko" } as const);

async function stand(t: TestContext, given: Partial<Options> = {}) {
  const server = await openAiServer({ key });
  t.after(() => server.close());
  const clock = systemClock();
  const fetch = safeFetch({
    clock,
    timeoutMs: 30_000,
    bytesMax: 1_000_000,
    allowHosts: [server.host],
  });
  const model = agentModel({ baseUrl: server.baseUrl, model: "fake", key, fetch });
  const runner = agentRunner({ clock, model, tools: () => [], profile, retriesMax: 0, ...given });
  const run = async (part: Partial<Job> = {}) => {
    const { context, output, progress } = runContext();
    const ran = await runner.run(jobOf({ agent: "Look at the weather." }, part), context);
    return { ran, output: output(), progress };
  };
  return { server, runner, run, fetch };
}

function failureOf(ran: Ran): Ran & { result: "failed" } {
  return ran.result === "failed" ? ran : assert.fail(JSON.stringify(ran));
}

/** A tool that records its calls. */
function weather(
  calls: Json[],
  answer: () => Promise<Json> = () => Promise.resolve("rain"),
): AgentTool {
  return {
    name: "weather",
    description: "The weather of a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    call(input) {
      calls.push(input);
      return answer();
    },
  };
}

test("the agent's system text has the owner's zone, language, name and where it answers", async (t) => {
  const { server, run } = await stand(t);
  await run({ owner: "mina", target: "telegram:7:11", slot });
  await run({ owner: "mina", target: "telegram:7:11", slot: { ...slot, notify: "never" } });
  const [told = "", quiet = ""] = server
    .asked()
    .map(({ messages }) => String(messages[0]?.content));
  assert.match(
    told,
    /You work for "mina"\. It is .+ in Asia\/Seoul, their time zone \(20.+ in UTC\)/,
  );
  assert.match(told, /Write in Korean, unless/);
  assert.match(told, /Your answer is sent to telegram:7:11 as the result of "news"\./);
  assert.match(quiet, /Your answer is kept and sent to nobody\./);
});

const asking: Reply = { calls: [{ name: "weather", input: { city: "Seoul" } }] };
const forEver = (): Reply[] => Array.from({ length: 50 }, () => asking);

runnerSuite("agent", async (t) => {
  const { server, runner } = await stand(t);
  server.say(...Array.from({ length: 9 }, () => ({ text: "one\ntwo\nthree" })));
  const input = { agent: "Count." };
  const meet = (behaviour: Behaviour) => () => {
    server.always(behaviour);
    return input;
  };
  const echo = JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } });
  return {
    runner,
    input,
    hang: () => {
      server.always("hang");
      return server.request(server.requests.length);
    },
    gone: () => server.quiet(),
    arrivals: () => server.requests.length,
    secret: key,
    faults: {
      "the server refuses the key, and repeats it": meet({ status: 401, body: echo }),
      "the server fails, and repeats the key": meet({ status: 500, body: `${key}\u001B[2J` }),
      "the server is busy": meet({ status: 429, body: echo }),
      "the server answers with invalid JSON": meet({ status: 200, body: `<html>${key}</html>` }),
      "the server answers without a choice": meet({ status: 200, body: `{"choices":[]}` }),
      "the server answers nothing": meet({ status: 204 }),
      "the server hangs up": meet("reset"),
      "the server exceeds the size limit": meet({ status: 200, body: "x".repeat(2_000_000) }),
      "the server redirects": meet({ status: 302, headers: { location: "http://localhost:1/" } }),
    },
  };
});

test("an agent works with tools until the model is done", async (t) => {
  const calls: Json[] = [];
  const { server, run } = await stand(t, { tools: () => [weather(calls)], prices });
  server.say(asking, { text: "Take an umbrella.", usage: { input: 200, output: 20 } });
  const { ran, output, progress } = await run();
  assert.deepEqual(ran, { result: "completed", usage: { turns: 2, cost: 0.6 } });
  assert.equal(output, "Take an umbrella.");
  assert.deepEqual(calls, [{ city: "Seoul" }]);
  assert.deepEqual(progress, ["turn 1: weather"]);
  const [first, second] = server.asked();
  assert.deepEqual(
    first?.messages.map(({ role }) => role),
    ["system", "user"],
  );
  assert.deepEqual(first?.messages[1]?.content, "Look at the weather.");
  assert.deepEqual(
    second?.messages.map(({ role }) => role),
    ["system", "user", "assistant", "tool"],
  );
  assert.match(JSON.stringify(second?.messages[3]), /rain/);
});

test("every run starts fresh, with the tools of its job", async (t) => {
  const owners: string[] = [];
  const tools = ({ owner }: Job): AgentTool[] => {
    owners.push(owner);
    return [weather([])];
  };
  const { server, run } = await stand(t, { tools });
  server.say(asking, { text: "first" }, { text: "second" });
  await run({ owner: "a" });
  await run({ owner: "b" });
  assert.deepEqual(owners, ["a", "b"]);
  assert.deepEqual(
    server.asked().map(({ messages }) => messages.length),
    [2, 4, 2],
  );
});

test("tool errors and calls of unknown tools are reported to the model", async (t) => {
  const broken = weather([], () => Promise.reject(new Error("no such city")));
  const { server, run } = await stand(t, { tools: () => [broken] });
  server.say(
    asking,
    { calls: [{ name: "launch", input: {} }] },
    { calls: [{ name: "weather", input: "{not json" }] },
    { text: "I give up." },
  );
  const { ran, output } = await run();
  assert.equal(ran.result, "completed", JSON.stringify(ran));
  assert.equal(output, "I give up.");
  const [, second, third, fourth] = server.asked();
  assert.match(JSON.stringify(second?.messages.at(-1)), /no such city/);
  assert.match(JSON.stringify(third?.messages.at(-1)), /launch/);
  assert.equal(fourth?.messages.at(-1)?.role, "tool");
});

test("a run over its turn limit fails with its usage", async (t) => {
  const { server, run } = await stand(t, { tools: () => [weather([])], prices, turnsMax: 3 });
  server.say(...forEver());
  const failed = failureOf((await run()).ran);
  assert.equal(server.requests.length, 3);
  assert.equal(failed.retry, false);
  assert.match(failed.reason, /3 turns.*turns 3, cost 0\.6/);
  assert.deepEqual(failed.usage?.turns, 3);
});

test("a schedule's limits apply only when they are smaller", async (t) => {
  const { server, run } = await stand(t, { tools: () => [weather([])], turnsMax: 3 });
  server.say(...forEver());
  await run({ slot: { ...slot, turnsMax: 2 } });
  assert.equal(server.requests.length, 2);
  await run({ slot: { ...slot, turnsMax: 9 } });
  assert.equal(server.requests.length, 5);
});

test("no turn starts beyond the remaining budget, or may answer beyond it", async (t) => {
  const costMax = 2;
  const { server, run } = await stand(t, { tools: () => [weather([])], prices, costMax });
  server.say(...forEver());
  const { ran } = await run();
  const failed = failureOf(ran);
  const spent = failed.usage?.cost ?? 0;
  assert.ok(spent > 0 && spent <= costMax, `${spent}`);
  assert.ok(server.requests.length > 1 && server.requests.length < 20, `${server.requests.length}`);
  assert.match(failed.reason, /exceed the cost limit of 2/);
  let left = costMax;
  for (const { max_tokens = Infinity } of server.asked()) {
    assert.ok((max_tokens * prices.outputPerMillion) / 1_000_000 <= left, `${max_tokens}`);
    left -= 0.2;
  }
});

test("a budget too small for one turn calls no model", async (t) => {
  const { server, run } = await stand(t, { prices, costMax: 0.000_1 });
  const failed = failureOf((await run()).ran);
  assert.deepEqual(failed.usage, { turns: 0, cost: 0 });
  assert.equal(server.requests.length, 0);
});

test("missing usage is estimated, for input and output", async (t) => {
  for (const part of ["inputPerMillion", "outputPerMillion"]) {
    const free = { inputPerMillion: 0, outputPerMillion: 0 };
    const { server, run } = await stand(t, { prices: { ...free, [part]: 1_000 } });
    server.say({ text: "done", usage: null });
    const { ran } = await run();
    assert.ok(
      ran.result === "completed" && (ran.usage?.cost ?? 0) > 0,
      `${part} ${JSON.stringify(ran)}`,
    );
  }
});

test("a cost limit without prices is refused with advice", async (t) => {
  const { server, run } = await stand(t);
  const failed = failureOf((await run({ slot: { ...slot, costMax: 1 } })).ran);
  assert.equal(failed.retry, false);
  assert.match(failed.reason, /no prices are set/);
  assert.equal(server.requests.length, 0);
});

test("a timeout ends a run, even when a tool ignores the abort", { timeout: 60_000 }, async (t) => {
  const clock = handClock();
  const called = Promise.withResolvers<void>();
  const deaf = weather([], () => {
    called.resolve();
    return new Promise(() => undefined);
  });
  const { server, run } = await stand(t, { clock, tools: () => [deaf], prices });
  server.say(asking);
  const running = run({ timeoutMs: 5_000 });
  await called.promise;
  clock.advance(5_000);
  clock.advance(1_000);
  const failed = failureOf((await running).ran);
  assert.match(failed.reason, /^time is up \(turns 1/);
  assert.deepEqual(clock.waiting(), []);
});

test("only a conditional run's prompt names the marker", async (t) => {
  const { server, run } = await stand(t);
  await run({ slot: { ...slot, notify: "conditional" } });
  await run({ slot });
  await run();
  const systems = server.asked().map(({ messages }) => String(messages[0]?.content));
  assert.deepEqual(
    systems.map((text) => text.includes("[NOTIFY]")),
    [true, false, false],
  );
});

test("a marker that a model writes in another mode is stripped, not shown", async (t) => {
  const { run, server } = await stand(t);
  const said = { text: " [NOTIFY]\nIt rains." };
  server.say(said, said, said, said);
  const modes = [{ slot }, { slot: { ...slot, notify: "never" } }, {}] as const;
  for (const mode of modes) assert.equal((await run(mode)).output, "It rains.");
  const conditional = await run({ slot: { ...slot, notify: "conditional" } });
  assert.match(conditional.output, /^\s*\[NOTIFY\]\s+It rains\.$/);
});

test("people's answers are part of the prompt", async (t) => {
  const { server, run } = await stand(t);
  await run({ answers: [{ question: "Which city?", answer: "Busan" }] });
  assert.match(String(server.asked()[0]?.messages[1]?.content), /Which city\?[^]*Busan/);
});

function guard(code: string, given: { timeoutMs?: number } = {}) {
  const spawn = childProcess({ clock: systemClock() });
  return { command: [process.execPath, "-e", code] as const, spawn, env: {}, ...given };
}

test("a check with exit 0 starts the model, with its output in the prompt", async (t) => {
  const { server, run } = await stand(t, { guard: guard(`console.log("3 new letters")`) });
  const { ran } = await run();
  assert.equal(ran.result, "completed");
  assert.match(String(server.asked()[0]?.messages[1]?.content), /3 new letters/);
});

test("a check with another exit ends the run silently, without a model call", async (t) => {
  const { server, run } = await stand(t, { guard: guard(`console.log("none"); process.exit(4)`) });
  const { ran, output } = await run();
  assert.deepEqual(ran, {
    result: "completed",
    nothingToDo: `the check ${JSON.stringify(process.execPath)} found nothing to do (exit 4)`,
    exit: 4,
    usage: { turns: 0, cost: 0 },
  });
  assert.equal(output, "none\n");
  assert.equal(server.requests.length, 0);
});

test("a check's kept output has no secrets", async (t) => {
  const prompt = guard(`console.log("key: s3cret-key"); process.exit(1)`);
  const { run } = await stand(t, { guard: prompt, secrets: ["s3cret-key"] });
  const { output } = await run();
  assert.match(output, /^key: /);
  assert.doesNotMatch(output, /s3cret-key/);
});

test("a check that fails to run fails the run, without a model call", async (t) => {
  const missing = { ...guard(""), command: ["/nowhere/to/be/found"] as const };
  const slow = guard("setInterval(() => undefined, 1_000)", { timeoutMs: 300 });
  for (const each of [missing, slow, guard(`process.kill(process.pid, "SIGKILL")`)]) {
    const { server, run } = await stand(t, { guard: each });
    assert.match(failureOf((await run()).ran).reason, /the check/);
    assert.equal(server.requests.length, 0);
  }
});

test("each status decides whether a retry may help", async (t) => {
  const { server, run } = await stand(t);
  for (const [status, retry] of [
    [400, false],
    [401, false],
    [404, false],
    [408, undefined],
    [429, undefined],
    [500, undefined],
    [529, undefined],
  ] as const) {
    server.next({ status, body: JSON.stringify({ error: { message: "because" } }) });
    const failed = failureOf((await run()).ran);
    assert.match(failed.reason, new RegExp(`answered ${status}: because`));
    assert.equal(failed.retry, retry, `${status}`);
  }
});

test("a busy server is retried within the turn", async (t) => {
  const { server, run } = await stand(t, { retriesMax: 1 });
  server.next({ status: 429, headers: { "retry-after-ms": "10" }, body: "{}" });
  const { ran } = await run();
  assert.deepEqual(ran, { result: "completed", usage: { turns: 1, cost: 0 } });
  assert.equal(server.requests.length, 2);
});

test("a truncated or filtered answer is a failure", async (t) => {
  const { server, run } = await stand(t, { tools: () => [weather([])] });
  for (const [finish, words] of [
    ["length", /cut off/],
    ["content_filter", /refused/],
    ["weird", /in the middle/],
  ] as const) {
    server.say({ ...asking, finish });
    assert.match(failureOf((await run()).ran).reason, words, finish);
  }
});

test("a missing package is named with how to install it", async (t) => {
  const absent = () => Promise.reject(new Error("Cannot find package"));
  const { run } = await stand(t, { load: absent });
  const failed = failureOf((await run()).ran);
  assert.equal(failed.retry, false);
  const both = /npm install ai @ai-sdk\/openai-compatible\./;
  assert.match(failed.reason, both);
  const { fetch } = await stand(t);
  const model = agentModel({
    baseUrl: "https://model.example/v1",
    model: "m",
    fetch,
    load: absent,
  });
  const { run: runOther } = await stand(t, { model });
  assert.match(failureOf((await runOther()).ran).reason, both);
});

test("a model at a forbidden address is refused", async (t) => {
  const { fetch } = await stand(t);
  const model = agentModel({ baseUrl: "http://169.254.169.254/v1", model: "m", fetch });
  const { run } = await stand(t, { model });
  const failed = failureOf((await run()).ran);
  assert.equal(failed.retry, false);
  assert.match(failed.reason, /https/);
});

test("a handler's agent may report that it skipped or failed", async (t) => {
  const { server, run } = await stand(t, {});
  server.say({ text: 'It is a draft.\n{"status":"skipped","reason":"a draft"}' });
  const { ran } = await run({ event: { id: "task-1" } });
  assert.ok(ran.result === "completed");
  assert.equal(ran.lastLine, '{"status":"skipped","reason":"a draft"}');
  assert.match(JSON.stringify(server.asked()[0]?.messages[0]), /needs_human/);
});
