import assert from "node:assert/strict";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { folder } from "../../../test/child.ts";
import { adminOf, fileOf, recordsOf, withLine } from "../../../test/moved-book.ts";
import { askBook, type, type Said } from "../../../test/terminal.ts";
import { makeNotification } from "../../features/notifications/kind.ts";
import type { CliPorts, GivenInput } from "./command.ts";

/** Records in a file of several parts. */
const many = 2_345;

async function filled(count: number): Promise<BookFixture> {
  const at = bookFixture();
  const book = at.ledger.of("mina", "mina");
  for (let each = 0; each < count; each += 1) {
    const body = {
      message: `${each}`,
      at: 9e12,
      atText: "later",
      target: "stdout:a",
      origin: null,
    };
    const ended = { kind: "notification", ends: "delivered", body } as const;
    await book.append(each % 2 === 0 ? makeNotification(body) : ended);
  }
  return at;
}

interface Typed extends Said {
  /** The inputs of its requests. */
  readonly inputs: readonly GivenInput[];
  readonly progress: readonly string[];
}

/** Types a command as Mina, who may do everything in a book. */
async function typeAt(
  at: BookFixture,
  typed: readonly string[],
  change: Partial<CliPorts> = {},
): Promise<Typed> {
  const inputs: GivenInput[] = [];
  const progress: string[] = [];
  const admin = adminOf(at);
  const answer = askBook({ installation: admin, caller: admin });
  const ask: CliPorts["ask"] = (operation, input, format) => {
    inputs.push(input);
    return answer(operation, input, format);
  };
  const ports = { ask, asking: <R>(use: (with_: CliPorts["ask"]) => Promise<R>) => use(ask) };
  const said = await type(
    typed,
    { ...ports, progress: (text) => progress.push(text), file: createReadStream, ...change },
    at,
  );
  return { ...said, inputs, progress };
}

function written(t: TestContext, lines: readonly string[]): string {
  const path = join(folder(t), "book.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

async function messagesIn(at: BookFixture): Promise<readonly unknown[]> {
  return recordsOf(await fileOf(adminOf(at))).map(({ body }) => body["message"]);
}

describe("daybook export", () => {
  test("prints the whole file, page after page, and tells a terminal how far it is", async () => {
    const at = await filled(600);
    const { exit, out, err, progress } = await typeAt(at, ["export"]);
    assert.deepEqual([exit, err], [0, ""]);
    assert.deepEqual(out.trimEnd().split("\n"), await fileOf(adminOf(at)));
    assert.deepEqual(progress, ["Exported 251 lines …", "Exported 501 lines …", ""]);
  });
  test("prints the chosen kinds", async () => {
    const { out } = await typeAt(await filled(3), ["export", "--kind", "nag", "--kind", "page"]);
    assert.match(out, /"kinds":\["page","nag"\]/);
    assert.equal(out.trimEnd().split("\n").length, 2);
  });
});

describe("daybook import of an exported book", () => {
  test("is one request for a small file", async (t) => {
    const path = written(t, await fileOf(adminOf(await filled(5))));
    const to = bookFixture();
    const { exit, out, inputs } = await typeAt(to, ["import", path]);
    assert.deepEqual([exit, inputs.length], [0, 1]);
    assert.equal(out, "Created 5.\n  notification: 5 new, 0 here already\n");
    const again = await typeAt(to, ["import", path, "--json"]);
    const { created, existing } = JSON.parse(again.out) as Record<string, unknown>;
    assert.deepEqual([created, existing], [0, 5]);
  });

  test("reads standard input", async () => {
    const lines = await fileOf(adminOf(await filled(2)));
    const stdin: CliPorts["stdin"] = async function* read() {
      yield Buffer.from(lines.join("\n"));
    };
    const { exit, out } = await typeAt(bookFixture(), ["import", "-"], { stdin });
    assert.deepEqual([exit, out.split("\n")[0]], [0, "Created 2."]);
  });

  test("checks all parts of a long file, writes them parked, and then starts them", async (t) => {
    const from = await filled(many);
    const path = written(t, await fileOf(adminOf(from)));
    const to = bookFixture();
    const { exit, out, inputs, progress } = await typeAt(to, ["import", path]);
    assert.equal(exit, 0);
    assert.match(out, new RegExp(`^Created ${many}\\.$`, "m"));
    assert.deepEqual(
      inputs.map(({ part, dry_run: dry }) => [part, dry]),
      [
        ...[2, 1_002, 2_002].map((line) => [{ line, parked: true }, true]),
        ...[2, 1_002, 2_002].map((line) => [{ line, parked: true }, false]),
        ...[2, 1_002, 2_002].map((line) => [{ line, parked: false }, false]),
      ],
    );
    assert.equal(progress[0], `Checked 1000 of ${many} …`);
    assert.equal(progress.at(-1), "", "the line is cleared");
    assert.deepEqual(await messagesIn(to), await messagesIn(from));
    const [queue] = (await to.ledger.work.stats()).queues;
    assert.equal(queue?.later, Math.ceil(many / 2));
    const repeated = await typeAt(to, ["import", path]);
    assert.match(repeated.out, new RegExp(`^Created 0, ${many} here already\\.$`, "m"));
  });

  test("that was cut off after any of its requests leaves nothing due, and is completed by the next", async (t) => {
    const path = written(t, await fileOf(adminOf(await filled(many))));
    for (const requests of [3, 4, 5, 6, 7]) {
      const to = bookFixture();
      const admin = adminOf(to);
      let left = requests;
      const ask: CliPorts["ask"] = (...request) => {
        left -= 1;
        if (left < 0) throw new Error("the machine lost its power");
        return askBook({ installation: admin, caller: admin })(...request);
      };
      const cut = await typeAt(to, ["import", path], { asking: (use) => use(ask) });
      assert.equal(cut.exit, 1);
      const { records, queues } = await to.ledger.work.stats();
      if (requests <= 6) assert.deepEqual(queues, [], `nothing is due after ${requests}`);
      else assert.equal(records, many, "what is due is so in a whole book");
      const { exit } = await typeAt(to, ["import", path]);
      assert.equal(exit, 0);
      assert.equal((await to.ledger.work.stats()).records, many);
      assert.equal((await to.ledger.work.stats()).queues[0]?.later, Math.ceil(many / 2));
    }
  });

  test("names every problem of a long file with its line, and writes nothing", async (t) => {
    const lines = await fileOf(adminOf(await filled(many)));
    const second = JSON.parse(lines[1] ?? "") as { id: string };
    const wrong = [
      (file: readonly string[]) =>
        withLine(file, 1_500, (line) => ({ ...line, body: { message: "x" } })),
      (file: readonly string[]) => file.with(2_200, "{oops"),
      (file: readonly string[]) => withLine(file, 2_300, (line) => ({ ...line, id: second.id })),
    ].reduce((file, change) => change(file), lines);
    const path = written(t, wrong);
    const to = bookFixture();
    const { exit, err } = await typeAt(to, ["import", path]);
    assert.equal(exit, 2);
    assert.match(
      err,
      new RegExp(`^daybook: 3 of ${many + 2} lines are wrong, so nothing was imported`),
    );
    assert.match(err, /^line 1501 .*The body is wrong: "at" is missing/m);
    assert.match(err, /^line 2201: It is not JSON\.$/m);
    assert.match(err, /^line 2301 .* stands on line 2 already/m);
    assert.equal((await to.ledger.work.stats()).records, 0);
    const dry = await typeAt(to, ["import", path, "--dry-run"]);
    assert.equal(dry.exit, 2, "a script sees that something is refused");
    assert.match(dry.out, /^Would create 2343, 3 refused\. Nothing was written\.$/m);
    assert.match(dry.out, /^line 2201: It is not JSON\.$/m);
    assert.equal((await to.ledger.work.stats()).records, 0);
  });

  test("refuses a cut file before it asks, and a target that the file has already", async (t) => {
    const lines = await fileOf(adminOf(await filled(many)));
    const cut = await typeAt(bookFixture(), ["import", written(t, lines.slice(0, -2))]);
    assert.deepEqual([cut.exit, cut.inputs], [2, []]);
    assert.match(cut.err, /The file is cut off: its last line/);
    const small = written(t, await fileOf(adminOf(await filled(1))));
    const targeted = await typeAt(bookFixture(), ["import", small, "--target", "stdout:a"]);
    assert.equal(targeted.exit, 2);
    assert.match(
      targeted.err,
      /An exported book has the targets of its messages: leave out --target/,
    );
  });

  test("takes records as large as they may be, a few in a part", async (t) => {
    const at = bookFixture();
    const context = '\u0007"\\'.repeat(6_600);
    for (let each = 0; each < 60; each += 1) {
      const body = {
        message: `${each}`,
        at: 9e12,
        atText: "later",
        target: "stdout:a",
        origin: null,
      };
      await at.ledger.of("mina", "mina").append(makeNotification({ ...body, context }));
    }
    const path = written(t, await fileOf(adminOf(at)));
    const to = bookFixture();
    const { exit, inputs } = await typeAt(to, ["import", path]);
    assert.equal(exit, 0);
    assert.ok(inputs.length > 3, "in parts");
    for (const input of inputs) {
      assert.ok(Buffer.byteLength(JSON.stringify(input)) < 8 * 2 ** 20, "a request is bounded");
    }
    assert.deepEqual(await messagesIn(to), await messagesIn(at));
  });
});

describe("daybook import of notifications of another ledger", () => {
  const row = { message: "stand-up", scheduled_at: "2026-12-01T09:00:00" };

  test("takes a long list in parts, after all of it was checked", async (t) => {
    const rows = Array.from({ length: 2_500 }, (_, index) => ({ ...row, id: `n_${index}` }));
    const path = join(folder(t), "notifications.json");
    writeFileSync(path, JSON.stringify({ version: "1.0", notifications: rows }));
    const at = bookFixture();
    const { exit, out, inputs } = await typeAt(at, ["import", path, "--target", "stdout:a"]);
    assert.equal(exit, 0, out);
    assert.match(out, /^Imported 2500;/);
    const half = inputs.length / 2;
    assert.deepEqual(
      inputs.map(({ dry_run: dry }) => dry),
      inputs.map((_, index) => index < half),
    );
    assert.ok(inputs.every(({ target }) => target === "stdout:a"));
    const again = await typeAt(at, ["import", path]);
    assert.match(again.out, /^Imported 0; imported before: 2500/);
    writeFileSync(path, JSON.stringify([...rows, { ...row, id: "n_x", message: "" }]));
    const wrong = await typeAt(bookFixture(), ["import", path]);
    assert.equal(wrong.exit, 2);
    assert.match(wrong.err, /Of the rows after the first \d+:\n.*\("n_x"\): The message is empty/s);
  });

  test("as a dry run writes nothing", async (t) => {
    const path = join(folder(t), "notifications.json");
    writeFileSync(path, JSON.stringify([{ ...row, id: "n_1" }]));
    const at = bookFixture();
    const { exit, out } = await typeAt(at, ["import", path, "--dry-run"]);
    assert.equal(exit, 0);
    assert.match(out, /^Would import 1; imported before: 0/);
    assert.equal((await at.ledger.work.stats()).records, 0);
  });

  test("does not take the other files of the assistant", async (t) => {
    const files = {
      tasks: { id: "task_1", title: "Taxes", progress: { percentage: 0 } },
      questions: { id: "q_1", question: "Done?", asked_count: 1 },
      insights: { category: "work", title: "Focus", content: "Mornings." },
    };
    for (const [name, one] of Object.entries(files)) {
      for (const content of [{ version: "1.0", [name]: [one] }, [one]]) {
        const path = join(folder(t), `${name}.json`);
        writeFileSync(path, JSON.stringify(content));
        const { exit, err } = await typeAt(bookFixture(), ["import", path]);
        assert.equal(exit, 6);
        assert.match(
          err,
          new RegExp(`This is ${name}\\.json of an assistant.*nothing was imported`),
        );
      }
    }
  });
});
