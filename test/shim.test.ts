import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test, type TestContext } from "node:test";

const shim = join(import.meta.dirname, "../bin/daybook.js");

/** The system's Node, if it is too old to run Daybook. */
function oldNode(): string | undefined {
  const places = [process.env["DAYBOOK_OLD_NODE"] ?? "/usr/bin/node", "/usr/local/bin/node"];
  return places.find((place) => {
    const { stdout } = spawnSync(place, ["-v"], { encoding: "utf8" });
    return typeof stdout === "string" && Number(/^v(\d+)/.exec(stdout)?.[1] ?? 99) < 24;
  });
}
const old = oldNode();
const isRequired = process.env["DAYBOOK_REQUIRE_PARTS"] === "1";
const skip = old === undefined && !isRequired ? "no Node below 24 on this machine" : false;

/** Stands for Daybook: prints the Node that runs it, and exits as requested. */
const program = `
  const [, , word = "", value = ""] = process.argv;
  if (word === "exit") process.exitCode = Number(value);
  else if (word === "die") process.kill(process.pid, value);
  else if (word === "wait") {
    const timer = setInterval(() => undefined, 1000);
    process.on(value, () => { clearInterval(timer); process.exitCode = 42; console.log("ended"); });
    console.log("ready " + process.pid + " " + process.env.DAYBOOK_LAUNCHED);
  } else if (word === "echo") process.stdin.pipe(process.stdout);
  else console.log(JSON.stringify({ major: process.versions.node.split(".")[0], args: process.argv.slice(2) }));
`;

type Files = Readonly<Record<string, string | undefined>>;

/** A folder with the shim at `home` and other files; "node" as text links the Node that runs us. */
function laidOut(t: TestContext, home: string, files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "daybook-shim-"));
  t.after(() => rmSync(root, { recursive: true }));
  const all: Files = { [join(home, "package.json")]: '{"type":"module"}', ...files };
  for (const [file, content] of Object.entries(all)) {
    if (content === undefined) continue;
    mkdirSync(join(root, dirname(file)), { recursive: true });
    if (content === "node") symlinkSync(process.execPath, join(root, file));
    else writeFileSync(join(root, file), content);
  }
  mkdirSync(join(root, home, "bin"), { recursive: true });
  cpSync(shim, join(root, home, "bin/daybook.js"));
  return join(root, home, "bin/daybook.js");
}

const version = (major: number): string => `{"name":"node","version":"${major}.1.0"}`;
const part = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const clone: Files = {
  "src/bin.ts": `const typed: number = 1;\nvoid typed;${program}`,
  "node_modules/node/package.json": version(26),
  "node_modules/node/bin/node": "node",
};

function run(node: string, file: string, ...args: string[]) {
  const { status, signal, stdout, stderr } = spawnSync(node, [file, ...args], {
    encoding: "utf8",
    input: "typed in",
  });
  return { status, signal, stdout: stdout.trim(), stderr };
}

describe("under Node 26", () => {
  test("a clone runs its source", (t) => {
    const file = laidOut(t, ".", { ...clone, "dist/bin.js": "throw new Error('not me')" });
    const { stdout, status } = run(process.execPath, file, "a", "b c");
    assert.deepEqual(JSON.parse(stdout), { major: "26", args: ["a", "b c"] });
    assert.equal(status, 0);
  });
  test("a package runs its build", (t) => {
    const file = laidOut(t, "node_modules/daybook", {
      "node_modules/daybook/dist/bin.js": program,
    });
    assert.equal(run(process.execPath, file, "exit", "5").status, 5);
  });
  test("a folder with neither prints what to do", (t) => {
    const { status, stderr } = run(process.execPath, laidOut(t, ".", {}));
    assert.match(stderr, /not built.*npm run build/);
    assert.equal(status, 1);
  });
});

describe("under an older Node", { skip }, () => {
  assert.ok(
    old !== undefined || !isRequired,
    "DAYBOOK_REQUIRE_PARTS=1, and no Node below 24 is here",
  );
  const node = old ?? "";

  const layouts: [name: string, home: string, files: Files][] = [
    ["beside a clone", ".", clone],
    [
      "above an installed package",
      "node_modules/daybook",
      { ...clone, "node_modules/daybook/dist/bin.js": program },
    ],
    [
      "in the package for this machine, where npm linked no program",
      ".",
      {
        ...clone,
        "node_modules/node/bin/node": undefined,
        [`node_modules/node/node_modules/${part}/package.json`]: version(26),
        [`node_modules/node/node_modules/${part}/bin/node`]: "node",
      },
    ],
  ];
  for (const [name, home, files] of layouts) {
    test(`the shim hands over to the Node of npm ${name}`, (t) => {
      const { stdout, status } = run(node, laidOut(t, home, files), "--flag", "two words");
      assert.deepEqual(JSON.parse(stdout), { major: "26", args: ["--flag", "two words"] });
      assert.equal(status, 0);
    });
  }
  test("the exit code, the signal and the input pass through", (t) => {
    const file = laidOut(t, ".", clone);
    assert.equal(run(node, file, "exit", "7").status, 7);
    assert.equal(run(node, file, "die", "SIGKILL").signal, "SIGKILL");
    assert.equal(run(node, file, "die", "SIGTERM").signal, "SIGTERM");
    assert.equal(run(node, file, "echo").stdout, "typed in");
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`${signal} is passed on, and the exit is passed back`, async (t) => {
      const child: ChildProcess = spawn(node, [laidOut(t, ".", clone), "wait", signal], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      assert.ok(child.stdout);
      await once(child.stdout, "data");
      child.kill(signal);
      assert.deepEqual(await once(child, "exit"), [42, null]);
    });
  }
  test("what it runs ends when the shim is killed", { timeout: 30_000 }, async (t) => {
    const child: ChildProcess = spawn(node, [laidOut(t, ".", clone), "wait", "SIGTERM"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    assert.ok(child.stdout);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const [, pid, variable] = String((await lines.next()).value).split(" ");
    t.after(() => {
      try {
        process.kill(Number(pid), "SIGKILL"); // only after a failure
      } catch {} // it has ended
    });
    assert.equal(variable, "undefined", "its own programs would wait for the shim");
    child.kill("SIGKILL");
    assert.equal((await lines.next()).value, "ended");
  });
  test("npm ci has no page of warnings, and shows errors", (t) => {
    const folder = dirname(laidOut(t, ".", {}));
    const root = join(import.meta.dirname, "..");
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
      cpSync(join(root, file), join(folder, file));
    }
    const settings = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const env = {
      ...Object.fromEntries(settings), // those of the npm that runs this test would count more
      PATH: [dirname(node), process.env["PATH"]].join(delimiter),
    };
    const npm = (...args: string[]) =>
      spawnSync("npm", [...args, "--offline", "--dry-run"], { cwd: folder, env, encoding: "utf8" });
    const { status, stderr, stdout } = npm("ci");
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, /added \d+ packages/);
    rmSync(join(folder, "package-lock.json"));
    assert.match(npm("ci").stderr, /^npm error code EUSAGE/);
  });
  const without: [name: string, files: Files][] = [
    ["no other Node", { "src/bin.ts": program }],
    ["an npm Node that is too old", { ...clone, "node_modules/node/package.json": version(22) }],
    ["an npm Node whose program is missing", { "node_modules/node/package.json": version(26) }],
  ];
  for (const [name, files] of without) {
    test(`an error with ${name} names the problem and what to do`, (t) => {
      const { status, stdout, stderr } = run(node, laidOut(t, ".", files));
      assert.match(
        stderr,
        /^Daybook needs Node 24 or newer; this is v\d+\.\d+\.\d+\.\nIn a clone run `npm ci`/,
      );
      assert.deepEqual([status, stdout], [1, ""]);
    });
  }
});
