import assert from "node:assert/strict";
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { addHandler, type HandlerRequest } from "./add-handler.ts";
import { loadConfig, type ConfigParts } from "./load.ts";
import { readText } from "./machine.ts";

/** A folder with a file, in which all of it happens. */
function place(t: TestContext, text?: string, set: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), "daybook-on-"));
  t.after(() => rmSync(cwd, { recursive: true }));
  const file = join(cwd, "daybook.yaml");
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  // Nothing that stands elsewhere on this machine.
  const env = { DAYBOOK_HOME: cwd, XDG_CONFIG_HOME: join(cwd, "none"), ...set };
  const parts: ConfigParts = { env, flags: {}, cwd, isTerminal: false, readText };
  const add = (asked: Partial<HandlerRequest> = {}, daemonFile?: string) =>
    addHandler({ type: "shop.order", command: ["ship", "--fast"], ...asked }, parts, daemonFile);
  const handlers = () => loadConfig(parts).config.handlers;
  return { cwd, file, add, handlers, text: () => readFileSync(file, "utf8") };
}

const allows = "runners: { command: { allow: [all] } } # mine\n";

describe("a handler is added", () => {
  test("to the file, which keeps its lines and permissions", (t) => {
    const { file, add, handlers, text } = place(t, allows);
    const asked = { name: "gen-shop", channel: "C012", timeout: "5m" };
    assert.deepEqual(add(asked), { name: "gen-shop", file });
    assert.ok(text().startsWith(allows));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const [one, ...others] = handlers();
    assert.deepEqual(others, []);
    assert.deepEqual(one, {
      name: "gen-shop",
      subscribes: ["shop.order"],
      run: { command: ["ship", "--fast"] },
      timeoutMs: 300_000,
      retries: 2,
      target: "slack:C012",
      channels: [],
      repo: null,
    });
  });
  test("under the name of its type, or a free one like it", (t) => {
    const { add } = place(t, `${allows}handlers: { on-shop-order: {} }\n`);
    assert.equal(add().name, "on-shop-order-2");
    assert.equal(add({ type: "github.pr.review_requested" }).name, "on-github-pr-review-requested");
  });
  test("to the target of a link", (t) => {
    const { cwd, file, add } = place(t);
    const real = join(cwd, "real.yaml");
    writeFileSync(real, allows);
    symlinkSync(real, file);
    add();
    assert.match(readFileSync(real, "utf8"), /shop\.order/);
    assert.deepEqual(readdirSync(cwd).toSorted(), ["daybook.yaml", "real.yaml"]);
  });
  test("to the file of the daemon that runs, wherever it was typed", (t) => {
    const { cwd, file, add, text } = place(t, allows);
    const there = join(mkdtempSync(join(cwd, "there-")), "daybook.yaml");
    writeFileSync(there, allows);
    assert.deepEqual(add({}, there), { name: "on-shop-order", file: there });
    assert.match(readFileSync(there, "utf8"), /shop\.order/);
    assert.equal(text(), allows, file);
  });
  test("to a new file where the daemon finds it", (t) => {
    const { cwd, add, text } = place(t, allows, { DAYBOOK_ALLOW_COMMANDS: "all" });
    const there = join(mkdtempSync(join(cwd, "there-")), "daybook.yaml");
    assert.deepEqual(add({}, there), { name: "on-shop-order", file: there });
    assert.match(readFileSync(there, "utf8"), /shop\.order/);
    assert.equal(text(), allows);
  });
  test("to no other file than the daemon's, even if it is named", (t) => {
    const { file, add, text } = place(t, allows, { DAYBOOK_CONFIG: "daybook.yaml" });
    assert.throws(() => add({}, "/srv/daybook.yaml"), {
      code: "conflict",
      message: `The daemon that runs reads /srv/daybook.yaml, and not daybook.yaml: leave DAYBOOK_CONFIG out to write there, or restart the daemon with daybook start --config ${file}.`,
    });
    assert.equal(text(), allows);
    assert.equal(add({}, file).file, file);
  });
  test("with the program as typed in the working folder", (t) => {
    const { cwd, add, handlers } = place(t, `home: ./book\n${allows}`);
    add({ command: ["./ship.sh"] });
    // Commands run beside the file, wherever the home is.
    assert.deepEqual(handlers()[0]?.run, { command: ["./ship.sh"] });
    const elsewhere = place(t, "runners: { command: { allow: [all], folder: ./jobs } }\n");
    elsewhere.add({ command: ["./ship.sh"] });
    assert.deepEqual(elsewhere.handlers()[0]?.run, { command: [join(elsewhere.cwd, "ship.sh")] });
    assert.notEqual(cwd, elsewhere.cwd);
  });
  test("with a program that is allowed beside the file, wherever the home is", (t) => {
    const env = { DAYBOOK_HOME: "/home/mina/.local/share/daybook" };
    const { add, handlers } = place(t, "runners: { command: { allow: [./jobs/*] } }\n", env);
    add({ command: ["./jobs/ok.sh"] });
    assert.deepEqual(handlers()[0]?.run, { command: ["./jobs/ok.sh"] });
  });
  test("in a new file, with an absolute path of its program", (t) => {
    const { cwd, file, add, handlers } = place(t, undefined, { DAYBOOK_ALLOW_COMMANDS: "all" });
    assert.equal(add({ command: ["./ship.sh"] }).file, file);
    assert.deepEqual(handlers()[0]?.run, { command: [join(cwd, "ship.sh")] });
  });
});

describe("a handler is refused, and nothing is written, when", () => {
  const taken = `${allows}handlers:\n  a: { subscribes: [shop.order] }\n`;
  const wrong: [
    what: string,
    text: string,
    asked: Partial<HandlerRequest>,
    code: string,
    says: RegExp,
  ][] = [
    [
      "its type is taken",
      taken,
      {},
      "conflict",
      /^a already handles shop\.order \(daybook\.yaml:3:8\)/,
    ],
    [
      "its name is",
      taken,
      { type: "b", name: "a" },
      "conflict",
      /A handler "a" already exists: choose/,
    ],
    ["its name is invalid", allows, { name: "A b" }, "invalid", /"A b" is not a handler name/],
    ["its type is invalid", allows, { type: "A b" }, "invalid", /"A b" is not an event type/],
    ["nothing is to run", allows, { command: [] }, "invalid", /Write the command after --/],
    [
      "its channel is invalid",
      allows,
      { channel: "general" },
      "invalid",
      /channel is "general": write/,
    ],
    ["its timeout is invalid", allows, { timeout: "soon" }, "invalid", /timeout is "soon": write/],
    ["the file is wrong already", "langauge: ko\n", {}, "invalid", /did you mean "language"/],
    [
      "its command is not allowed, with the line to add",
      "runners: { command: { allow: [backup] } }\n",
      {},
      "refused",
      /"ship" is not allowed to run here: .*\nrunners: \{ command: \{ allow: \["backup", "ship"\] \} \}$/,
    ],
  ];
  for (const [what, before, asked, code, says] of wrong) {
    test(what, (t) => {
      const { add, text } = place(t, before);
      assert.throws(() => add(asked), { code, message: says });
      assert.equal(text(), before);
    });
  }
  test("another program changed the file meanwhile", (t) => {
    const { cwd, file } = place(t, allows);
    let reads = 0;
    const slow = (path: string): string | undefined => {
      if (path === file && (reads += 1) === 2) writeFileSync(file, `${allows}keepDays: 5\n`);
      return path === file ? allows : undefined;
    };
    const env = { DAYBOOK_HOME: cwd };
    const parts = { env, flags: {}, cwd, isTerminal: false, readText: slow };
    const asked = { type: "shop.order", command: ["ship"] };
    assert.throws(() => addHandler(asked, parts), { code: "conflict", message: /meanwhile: try/ });
    assert.match(readFileSync(file, "utf8"), /keepDays: 5/);
  });
  test("there is no file and nothing is allowed", (t) => {
    const { cwd, add } = place(t);
    assert.throws(() => add(), { code: "refused", message: /allow: \["ship"\]/ });
    assert.deepEqual(readdirSync(cwd), []);
  });
});
