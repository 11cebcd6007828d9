import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertNoListener,
  benchOf,
  outputWith,
  programOf,
  inTime,
  type MakeMachines,
} from "./rig.ts";

/** Programs in a machine, by the contract of `platform/process.ts`. */
export function execCases(make: MakeMachines): void {
  void test("a program's two streams and its exit status are reported", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const end = await bench.sh("echo out; echo err >&2; exit 7");
    const printed = { output: "out\n", errors: "err\n" };
    assert.deepEqual(end, { started: true, status: 7, ...printed, cut: null });
    assertNoListener(bench.signal);
  });
  void test("arguments arrive unchanged, without a shell", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const args = ["", " a  b ", "$HOME", "'\"`id`", "a\nb", "--", "-c", "*", "약"];
    const script = `for each in "$@"; do printf '[%s]' "$each"; done`;
    const printed = await bench.printed("", { args: ["-c", script, "name", ...args] });
    assert.equal(printed, args.map((each) => `[${each}]`).join(""));
  });
  void test("a program reads its complete input and its end", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const input = "가나다라 0123456789\n".repeat(20_000);
    assert.equal(await bench.printed("cat", { input }), input);
    assert.equal(await bench.printed("cat; echo end"), "end\n");
  });
  void test("a program that ignores its input can end", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    assert.equal(await bench.printed("echo done", { input: "x".repeat(2_000_000) }), "done\n");
  });
  void test("a program runs in its volume by default", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    await bench.printed("mkdir -p folder; echo here > folder/note");
    assert.equal(await bench.printed("cat folder/note"), "here\n");
    assert.equal(await bench.printed("pwd", { cwd: "/" }), "/\n");
    const where = (await bench.printed("pwd")).trim();
    assert.equal(await bench.printed("cat note", { cwd: `${where}/folder` }), "here\n");
  });
  void test("a program has the given environment, and none of the daemon's", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    process.env["DAYBOOK_CONFORMANCE_SECRET"] = "ours";
    t.after(() => delete process.env["DAYBOOK_CONFORMANCE_SECRET"]);
    const env = { PATH: "/usr/bin:/bin", GIVEN: "a b=c\n'd'", EMPTY: "" };
    const printed = await bench.printed(`env; printf '<%s|%s>' "$GIVEN" "\${EMPTY-unset}"`, {
      env,
    });
    assert.ok(printed.endsWith("<a b=c\n'd'|>"), printed);
    assert.ok(!printed.includes("CONFORMANCE"), printed);
  });
  void test("output is passed on as it arrives, in complete characters", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const first = outputWith("first");
    const found: string[] = [];
    // The program prints the second half of a character only after the first half was received.
    const running = bench.sh(
      `printf 'first \\353'; while [ ! -e go ]; do sleep 0.05; done; printf '\\202\\230'; echo no >&2`,
      {
        onOutput(text, stream) {
          found.push(`${stream}:${text}`);
          first.onOutput(text, stream);
        },
      },
    );
    await inTime(Promise.race([first.found, running]), "the first output");
    assert.deepEqual(found, ["output:first "]);
    await bench.printed("touch go");
    const end = await running;
    assert.deepEqual(end, { started: true, status: 0, output: "", errors: "", cut: null });
    assert.deepEqual(found.toSorted(), ["errors:no\n", "output:first ", "output:나"]);
  });
  void test("concurrent programs are independent", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const numbers = Array.from({ length: 8 }, (_, index) => `${index}`);
    const printed = await Promise.all(numbers.map((input) => bench.printed("cat", { input })));
    assert.deepEqual(printed, numbers);
  });
  startCases(make);
  endCases(make);
}

function startCases(make: MakeMachines): void {
  void test("a missing program does not start, and nothing is thrown", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    for (const file of ["/no/such/program", "no-such-program-anywhere"]) {
      const end = await bench.sh("", { file, args: [] });
      assert.deepEqual(end, { started: false, code: "ENOENT" }, file);
    }
    await bench.printed("echo text > plain");
    const where = (await bench.printed("pwd")).trim();
    const end = await bench.sh("", { file: `${where}/plain`, args: [] });
    assert.deepEqual(end, { started: false, code: "EACCES" });
  });
  void test("a program that exits with 126 or 127 did run", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    for (const status of [126, 127, 255]) {
      const end = await bench.sh(`echo ran; exit ${status}`);
      const printed = { output: "ran\n", errors: "" };
      assert.deepEqual(end, { started: true, status, ...printed, cut: null });
    }
  });
  void test("a program with a missing folder does not start", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const end = await bench.sh("echo ran", { cwd: "/no/such/folder" });
    assert.deepEqual(end, { started: false, code: "ENOENT" });
  });
  void test("without a running machine nothing starts, and no program is called missing", async (t) => {
    const bench = await benchOf(t, make);
    const ends = [await bench.sh("echo ran")];
    await bench.running();
    await bench.kill(bench.id);
    ends.push(await bench.sh("echo ran"));
    for (const end of ends) {
      assert.equal(end.started, false, JSON.stringify(end));
      // These codes mean a faulty program, which is not retried.
      if (!end.started) assert.ok(!["ENOENT", "EACCES"].includes(end.code), end.code);
    }
  });
  void test("an abort before the call starts no program", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const end = await bench.sh("touch started", { signal: AbortSignal.abort() });
    assert.deepEqual(end, { started: false, code: "ABORTED" });
    assert.equal(await bench.printed("ls"), "");
  });
}

function endCases(make: MakeMachines): void {
  // Prints the process ids of itself and its child, then waits: once ending on SIGTERM, once ignoring it.
  const child = "sleep 1000 & echo $$ $! ready; wait";
  const deaf =
    "trap '' TERM INT HUP; (trap '' TERM INT HUP; sleep 1000) & echo $$ $! ready; while :; do wait; sleep 1; done";
  for (const [what, script] of Object.entries({ willing: child, deaf })) {
    void test(`an aborted program ends with its process group (${what})`, async (t) => {
      const bench = await benchOf(t, make);
      await bench.running();
      const stopping = new AbortController();
      const at = outputWith("ready");
      const running = bench.sh(script, { signal: stopping.signal, onOutput: at.onOutput });
      await inTime(Promise.race([at.found, running]), "the program runs");
      stopping.abort("cancelled");
      const end = await running;
      assert.ok(end.started && end.cut === "told to stop", JSON.stringify(end));
      assert.notEqual(end.status, 0);
      await assertEnded(bench.printed, at.text());
      assertNoListener(stopping.signal);
    });
  }
  void test("a timeout ends the program and its process group", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const at = outputWith("ready");
    const end = await bench.sh(child, { timeoutMs: 1_500, onOutput: at.onOutput });
    assert.ok(end.started && end.cut === "time is up", JSON.stringify(end));
    await assertEnded(bench.printed, at.text());
  });
  void test("too much output ends the program; too many errors are dropped", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const loud = await bench.sh("while :; do echo 0123456789; done", { bytesMax: 1_005 });
    assert.ok(loud.started && loud.cut === "said too much", JSON.stringify(loud));
    assert.equal(loud.output.length, 1_005);
    const script = "i=0; while [ $i -lt 500 ]; do echo 0123456789 >&2; i=$((i+1)); done; echo done";
    const errors = await bench.sh(script, { bytesMax: 1_005 });
    assert.ok(errors.started && errors.status === 0 && errors.cut === null);
    assert.deepEqual([errors.output, errors.errors.length], ["done\n", 1_005]);
  });
  void test("background processes do not delay the program's end, and die with it", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const printed = await bench.printed("sleep 1000 & echo $! ready");
    await assertEnded(bench.printed, printed);
  });
  void test("a program killed by a signal has no exit status", async (t) => {
    const bench = await benchOf(t, make);
    await bench.running();
    const end = await bench.machines.exec(bench.id)(programOf("kill -9 $$", {}));
    assert.ok(end.started && end.cut === null, JSON.stringify(end));
    assert.equal(end.status, null);
  });
}

/** No process with these ids runs; a zombie may be left. */
async function assertEnded(
  printed: (script: string) => Promise<string>,
  text: string,
): Promise<void> {
  const numbers = text.match(/\d+/gu) ?? [];
  assert.ok(numbers.length > 0, text);
  for (const number of numbers) {
    const state = `[ ! -e /proc/${number} ] || grep -q '^State:.*[ZX]' /proc/${number}/status`;
    const waitUntil = `i=0; until ${state}; do i=$((i+1)); [ $i -lt 100 ] || exit 1; sleep 0.05; done 2>/dev/null`;
    await printed(waitUntil);
  }
}
