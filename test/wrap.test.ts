import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test, type TestContext } from "node:test";
import { folder } from "./child.ts";
import { bin } from "./walk-book.ts";

interface Ran {
  readonly exit: number | string | null;
  readonly out: string;
  readonly err: string;
}

function typing(t: TestContext): (...typed: readonly string[]) => Promise<Ran> {
  const env = { PATH: process.env["PATH"] ?? "", DAYBOOK_HOME: folder(t) };
  return (...typed) =>
    new Promise((resolve) => {
      execFile(process.execPath, [bin, ...typed], { env }, (error, out, err) =>
        resolve({ exit: error === null ? 0 : (error.code ?? null), out, err }),
      );
    });
}

test("a wrapped job keeps its output and status, and is recorded without a daemon", async (t) => {
  const daybook = typing(t);
  const made = await daybook("watch", "backup", "--every", "1d", "--grace", "1h", "--json");
  assert.equal(made.exit, 0, made.err);
  const script = "echo 백업; echo bad >&2; exit 3";
  const ran = await daybook("wrap", "--watch", "backup", "--", "sh", "-c", script);
  assert.deepEqual(ran, { exit: 3, out: "백업\n", err: "bad\n" });
  const { out } = await daybook("runs", "backup", "--json");
  const { runs } = JSON.parse(out) as { runs: { id: string; exit: number }[] };
  assert.deepEqual(
    runs.map(({ exit }) => exit),
    [3],
  );
  const output = await daybook("output", runs[0]?.id ?? "");
  assert.match(output.out, /백업\n/);
  assert.match(output.out, /bad\n/);
});

test("the record of a job with much output has the end of it, marked as cut", async (t) => {
  const daybook = typing(t);
  await daybook("watch", "backup", "--every", "1d");
  const script = "head -c 70000 /dev/zero | tr '\\0' x; echo end";
  assert.equal((await daybook("wrap", "--watch", "backup", "--", "sh", "-c", script)).exit, 0);
  const { runs } = JSON.parse((await daybook("runs", "backup", "--json")).out) as {
    runs: { id: string }[];
  };
  const id = runs[0]?.id ?? "";
  const { out } = await daybook("output", id, "--offset", "65000", "--json");
  const { chunk, total, cut } = JSON.parse(out) as { chunk: string; total: number; cut: boolean };
  assert.deepEqual([chunk.endsWith("xend\n"), total, cut], [true, 65_536, true]);
});

test("a job keeps its own exit status if its report fails", async (t) => {
  const daybook = typing(t);
  const ping = "http://127.0.0.1:1/ping/x.y.z";
  const ran = await daybook("wrap", "--ping", ping, "--", "sh", "-c", "echo done; exit 9");
  assert.deepEqual([ran.exit, ran.out], [9, "done\n"]);
  assert.match(ran.err, /was not reported/);
});
