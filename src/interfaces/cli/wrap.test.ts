import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { askBook, type } from "../../../test/terminal.ts";
import { pingBytesMax } from "../../features/schedules/ping.ts";
import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { CliPorts } from "./command.ts";
import { tailBytesMax } from "./wrap.ts";

const ran = (exit: number, said: string): Pick<CliPorts, "runProgram"> => ({
  runProgram: () => Promise.resolve({ exit, tail: Buffer.from(said), isCut: false }),
});

async function runs({ ledger }: BookFixture): Promise<readonly LedgerRecord<TaskKind>[]> {
  const { records } = await ledger.of("mina", "x").list({ kind: taskKind, limit: 50 });
  return records.filter((record) => is(taskKind, record));
}

describe("wrap", () => {
  test("reports the exit status and the output, and answers the status", async () => {
    const at = bookFixture();
    await type(["watch", "backup", "--every", "1d"], {}, at);
    const typed = ["wrap", "--watch", "backup", "--", "./backup.sh", "--all", "-v"];
    let command: readonly string[] = [];
    const begun = Promise.withResolvers<void>();
    const asking: CliPorts["ask"] = async (...asked) => {
      const answer = await askBook({ installation: at.mina, caller: at.mina })(...asked);
      begun.resolve();
      return answer;
    };
    const runProgram: CliPorts["runProgram"] = async (words) => {
      command = words;
      await begun.promise;
      at.clock.advance(3_000);
      return { exit: 3, tail: Buffer.from("하나\n\u001b[1mfull\n"), isCut: false };
    };
    const said = await type(typed, { runProgram, ask: asking }, at);
    assert.deepEqual([said.exit, said.out, said.err], [3, "", ""]);
    assert.deepEqual(command, ["./backup.sh", "--all", "-v"]);
    const [run] = await runs(at);
    assert.deepEqual([run?.state, run?.outcome?.exit], ["failed", 3]);
    assert.equal(run?.outcome?.result, "하나\n\ufffd[1mfull\n");
    assert.equal((run.outcome.finishedAt ?? 0) - (run.outcome.startedAt ?? 0), 3_000);
  });
  test("sends a character more of the output than a watch keeps", () => {
    assert.equal(tailBytesMax, pingBytesMax + 4);
  });
  test("reports to an address, where the book is elsewhere", async () => {
    const posted: [string, string][] = [];
    const post: CliPorts["post"] = async (url, text) => void posted.push([url, text]);
    const typed = ["wrap", "--ping", "https://daybook.example/ping/t/", "--", "true"];
    assert.equal((await type(typed, { ...ran(0, "fine"), post })).exit, 0);
    const base = "https://daybook.example/ping/t";
    assert.deepEqual(posted, [
      [`${base}/start`, ""],
      [`${base}/0`, "fine"],
    ]);
  });
  const troubles: readonly (readonly [string, CliPorts["ask"]])[] = [
    ["nobody answers", () => Promise.reject(new DaybookError("unavailable", "Nobody is there."))],
    ["something breaks", () => Promise.reject(new Error("oh"))],
  ];
  for (const [what, broken] of troubles) {
    test(`lets the program be as it is when ${what}`, async () => {
      const said = await type(["wrap", "--watch", "backup", "--", "x"], {
        ...ran(5, ""),
        ask: broken,
      });
      assert.deepEqual([said.exit, said.out], [5, ""]);
      assert.equal(said.err.match(/was not reported/g)?.length, 1); // said once
    });
  }
  test("runs the program where no such watch is, and says so", async () => {
    const said = await type(["wrap", "--watch", "bakcup", "--", "x"], ran(0, ""));
    assert.equal(said.exit, 0);
    assert.match(said.err, /There is no schedule "bakcup"/);
  });
  test("does not wait for ever for somebody who does not answer", async () => {
    const at = bookFixture();
    const asked = Promise.withResolvers<void>();
    const deaf: CliPorts["ask"] = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const passed = Promise.withResolvers<void>();
    const runProgram: CliPorts["runProgram"] = async () => {
      await passed.promise;
      return { exit: 6, tail: Buffer.alloc(0), isCut: false };
    };
    const typed = type(["wrap", "--watch", "backup", "--", "x"], { ask: deaf, runProgram }, at);
    await asked.promise;
    at.clock.advance(10_000);
    passed.resolve();
    const ended = { done: false };
    void typed.finally(() => (ended.done = true));
    while (!ended.done) {
      await new Promise((resolve) => setImmediate(resolve));
      at.clock.advance(10_000);
    }
    const { exit, err } = await typed;
    assert.equal(exit, 6);
    assert.equal(err.match(/time is up/g)?.length, 1); // said once
  });
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["--watch", "backup"], /The command is missing: write it after --/],
    [["--", "true"], /Give either --watch NAME or --ping URL/],
    [["--watch", "a", "--ping", "b", "--", "true"], /Give either --watch NAME or --ping URL/],
  ];
  for (const [typed, sentence] of wrong) {
    test(`${typed.join(" ")} runs nothing`, async () => {
      const said = await type(["wrap", ...typed]);
      assert.equal(said.exit, 2);
      assert.match(said.err, sentence);
    });
  }
});
