import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { type } from "../../../test/terminal.ts";
import { makeTask, outputStream, taskKind } from "../../features/tasks/kind.ts";
import { emptyOutcome } from "../../features/tasks/outcome.ts";

/** What a schedule that was typed has become. */
async function typed(at: BookFixture, ...words: string[]): Promise<Record<string, unknown>> {
  const { exit, out, err } = await type([...words, "--json"], {}, at);
  assert.equal(exit, 0, err);
  return JSON.parse(out) as Record<string, unknown>;
}

describe("daybook schedule", () => {
  test("takes a time, and a command after two dashes, word by word", async () => {
    const at = bookFixture();
    const command = ["./report.sh", "--name", "a, b", "--", "-x", "--json"];
    const { exit, out } = await type(["schedule", "weekdays 08:30", "--", ...command], {}, at);
    assert.equal(exit, 0);
    assert.match(
      out,
      /^'report\.sh' runs every weekday at 08:30 \(Asia\/Seoul\) → stdout:daemon\n/,
    );
    const { run } = await typed(at, "schedule", "show", "report.sh");
    assert.deepEqual(run, { command: ["/home/mina/report.sh", ...command.slice(1)] });
  });
  test("means paths from the folder it is typed in, and names as PATH finds them", async () => {
    const at = bookFixture();
    await type(["schedule", "every day", "--cwd", "../work", "--", "bin/a", "./b"], {}, at);
    const { run } = await typed(at, "schedule", "show", "a");
    assert.deepEqual(run, { command: ["/home/mina/bin/a", "./b"], cwd: "/home/work" });
    await type(["schedule", "every day", "--", "ls", "."], {}, at);
    assert.deepEqual((await typed(at, "schedule", "show", "ls"))["run"], { command: ["ls", "."] });
    const edit = await type(["schedule", "edit", "ls", "--cwd", "x"], {}, at);
    assert.match(edit.err, /--cwd sets the folder of a command: give the command with it\./);
  });
  test("show says what runs as it was typed, and its state once", async () => {
    const at = bookFixture();
    await type(["schedule", "every day", "--", "/bin/echo", "all is well"], {}, at);
    const { out } = await type(["schedule", "show", "echo"], {}, at);
    assert.match(out, /^ {2}runs {12}command: \/bin\/echo "all is well"$/m);
    assert.equal(out.match(/active/g)?.length, 1);
  });
  const cases: [words: string[], seen: object][] = [
    [["--task", "send", "--input", '{"id":7}'], { run: { task: "send", input: { id: 7 } } }],
    [["--http", "https://example.org/a"], { run: { http: "https://example.org/a" } }],
    [["--agent", "Summarise my mail"], { runner: "agent", name: "Summarise my mail" }],
    [
      ["--agent", "x", "--runs-per-day", "3", "--cost-per-run", "0.5"],
      { budget: { runs_per_day: 3, cost_per_run: 0.5 } },
    ],
    [["--task", "x", "--timezone", "UTC"], { when: "every day at 09:00 (UTC)" }],
    [
      ["--task", "x", "--misfire", "all", "--overlap", "queue", "--rerun"],
      { misfire: "all", overlap: "queue", rerun: true },
    ],
    [["--task", "x", "--timeout", "90s", "--notify", "never"], { timeout: 90, notify: "never" }],
    [["--task", "x", "--timeout", "10"], { timeout: 10 }],
    [
      ["--task", "x", "--notification", "conditional", "--name", "n"],
      { notify: "conditional", name: "n" },
    ],
  ];
  for (const [words, seen] of cases) {
    test(`takes ${words.join(" ")}`, async () => {
      const made = await typed(bookFixture(), "schedule", "every day 9am", ...words);
      for (const [name, value] of Object.entries(seen)) assert.deepEqual(made[name], value, name);
    });
  }
  const bad: [words: string[], says: RegExp][] = [
    [["schedule", "every day", "./report.sh"], /one word too many.*put -- before the command/],
    [["schedule", "every day", "--"], /The command is empty/],
    [["schedule", "every day"], /Nothing to run/],
    [["schedule", "--task", "x"], /The time is missing: give one such as "every weekday 9am"\./],
    [["preview", "0 3 * *"], /has 4 fields, not five or six/],
    [["watch", "backup"], /give --every, such as "1d"/],
    [
      ["schedule", "delte", "report"],
      /There is no command "schedule delte": did you mean schedule delete\?/,
    ],
    [
      ["schedule", "every 2h", "--timeout", "100d", "--task", "x"],
      /--timeout must be at most 7 d; got 100 d\./,
    ],
    [["output", "x", "--max-chars", "10"], /--max-chars must be at least 200\./],
    [
      ["schedule", "every day", "--task", "x", "--input", "{"],
      /is not JSON: write --input '\{"name/,
    ],
    [["schedule", "every day", "--command", "ls"], /There is no flag "--command"/],
    [["schedule", "every 5s", "--", "ls"], /at least 1 min/],
    [["runs"], /"id" is missing: the schedule.s id or name/],
    [["answer", "x"], /"answer" is missing/],
    [["output"], /"id" is missing: the id of the run/],
  ];
  for (const [words, says] of bad) {
    test(`refuses "${words.join(" ")}" with a sentence that helps`, async () => {
      const { exit, err } = await type(words);
      assert.equal(exit, 2);
      assert.match(err, says);
    });
  }
});

describe("pause and resume", () => {
  test("take a name, or all", async () => {
    const at = bookFixture();
    await type(["schedule", "every day", "--", "ls"], {}, at);
    assert.match(
      (await type(["pause", "ls", "--until", "friday"], {}, at)).out,
      /^Paused: 'ls' until/,
    );
    assert.match((await type(["resume", "ls"], {}, at)).out, /^Resumed: 'ls' runs next on/);
    assert.match((await type(["pause", "--all"], {}, at)).out, /^⏸ Paused: owner mina/);
    assert.equal((await type(["resume", "--all"], {}, at)).exit, 0);
  });
});

describe("daybook run output", () => {
  /** A run that has written so much. */
  async function run(at: BookFixture, text: string): Promise<string> {
    const book = at.ledger.of("mina", "mina");
    const where = { target: "inbox:mina", origin: null };
    const draft = makeTask({ name: "x", input: null, at: 0, timeoutMs: 1, ...where });
    const { id } = await book.append({ ...draft, outcome: emptyOutcome });
    const request = {
      kind: taskKind,
      queue: "task@x",
      holder: "n",
      leaseMs: 60_000,
      limit: 1,
    } as const;
    const [claimed] = (await at.ledger.work.claim(request)).records;
    const fence = claimed?.lease.fence ?? 0;
    const bytes = Buffer.from(text);
    await at.ledger.work.write({ id, fence, stream: outputStream, offset: 0, bytes });
    return id;
  }
  const text = "보고서 👩‍👩‍👧‍👦 ✅\n".repeat(3_000);

  test("is the whole of it, asked for part by part", async () => {
    const at = bookFixture();
    const id = await run(at, text);
    const { out, asked } = await type(["output", id], {}, at);
    assert.equal(out, text);
    assert.equal(asked, Math.ceil(Array.from(text).length / 8_000));
    const { chunk, total, remaining } = await typed(at, "output", id);
    assert.deepEqual([chunk === text, total, remaining], [true, Array.from(text).length, 0]);
  });
  test("is a part when a part was asked for", async () => {
    const at = bookFixture();
    const id = await run(at, text);
    const { out, asked } = await type(
      ["output", id, "--offset", "2", "--max-chars", "200"],
      {},
      at,
    );
    assert.equal(asked, 1);
    assert.match(out, /^서 👩‍👩‍👧‍👦 ✅\n/);
    assert.match(out, /\n\d+ more characters: --offset 202\n$/);
  });
  test("says plainly when there is none", async () => {
    const at = bookFixture();
    const { out } = await type(["output", await run(at, "")], {}, at);
    assert.equal(out, "No output stored for this run: it is still running.\n");
  });
});
