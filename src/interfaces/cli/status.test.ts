import assert from "node:assert/strict";
import { test } from "node:test";
import { bookFixture, eight } from "../../../test/book-fixture.ts";
import { type } from "../../../test/terminal.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { StatusFacts } from "./facts.ts";

const facts: StatusFacts = {
  daemon: {
    version: "1.2.3",
    pid: 77,
    url: "http://127.0.0.1:4810",
    startedAt: eight - 3_900_000,
  },
  store: "/var/book.db",
  config: { file: "daybook.yaml", problem: null, isTakenUp: true, needsRestart: [] },
  book: {
    now: eight,
    records: 1_234,
    queues: [
      { queue: "notification", due: 2, later: 10, leased: 1, oldestWakeAt: eight - 3_000 },
      { queue: "chore", due: 0, later: 1, leased: 0, oldestWakeAt: null },
    ],
  },
};

function status(
  change: Partial<StatusFacts> = {},
): Pick<Parameters<typeof type>[1] & {}, "status"> {
  return { status: async () => ({ ...facts, ...change }) };
}

test("status says what runs, since when, and what waits", async () => {
  const { exit, out } = await type(["status"], status());
  assert.equal(exit, 0);
  assert.equal(
    out,
    `Daybook 1.2.3 runs since Mon 16 Nov 2026 06:55:00 (1 h 5 min), process 77, at http://127.0.0.1:4810
Book: /var/book.db, 1234 records
  queue          due   later   at work   oldest
  notification   2     10      1         3 s
  chore          0     1       0         -
Settings: daybook.yaml
`,
  );
});

test("status shows the files that intake refused, with the newest reason", async () => {
  const refused = { files: 2, newest: "queue/events/pending/a.json: It is not JSON." };
  const { out } = await type(["status"], status({ refused }));
  assert.match(out, /^2 files are in quarantine\/ of the book\. The newest: queue\/.* not JSON\./m);
});

test("status without a daemon reads the book, and says what is late because of it", async () => {
  const { exit, out } = await type(["status"], status({ daemon: null }));
  assert.equal(exit, 0);
  assert.match(out, /^No daemon runs here: start one with daybook start\.$/m);
  assert.match(out, /^ {2}2 due and not done, because no daemon runs\.$/m);
});

test("status with settings that are wrong says so, and not that there are none", async () => {
  const problem = 'daybook.yaml:1:1  unknown key "langauge"';
  const config = { file: null, problem, isTakenUp: false, needsRestart: [] };
  const { exit, out } = await type(
    ["status"],
    status({ daemon: null, store: "", config, book: { problem } }),
  );
  assert.equal(exit, 6);
  assert.match(out, /^The settings are wrong: daybook\.yaml:1:1 {2}unknown key "langauge"$/m);
  assert.doesNotMatch(out, /no file|runs with the old|cannot be read/);
});

test("status of an empty book says so", async () => {
  const book = { now: eight, records: 1, queues: [] };
  const config = { file: null, problem: null, isTakenUp: true, needsRestart: [] };
  const { out } = await type(["status"], status({ daemon: null, book, config }));
  assert.match(out, /1 record\n {2}Nothing waits\.\nSettings: no file/);
});

test("status names settings that were not taken up", async () => {
  const problem = "a.yaml:1:1  unknown key";
  const config = { file: "a.yaml", problem, isTakenUp: false, needsRestart: [] };
  const { out } = await type(["status"], status({ config }));
  assert.match(out, /the old ones hold: a\.yaml:1:1 {2}unknown key\n$/);
  const taken = await type(["status"], status({ config: { ...config, isTakenUp: true } }));
  assert.match(taken.out, /refused, and stay as they were: a\.yaml:1:1 {2}unknown key\n$/);
});

test("status names settings that wait for the next start", async () => {
  const config = {
    file: "a.yaml",
    problem: null,
    isTakenUp: true,
    needsRestart: ["store", "http.port"],
  };
  const { out } = await type(["status"], status({ config }));
  assert.match(out, /takes effect at the next start: store, http\.port\n$/);
});

test("status of a book that cannot be read says why, and exits as unreachable", async () => {
  const book = { problem: "It is\u001B[2J locked: stop the other." };
  const { exit, out } = await type(["status"], status({ book }));
  assert.equal(exit, 6);
  assert.match(out, /^Book: \/var\/book\.db cannot be read: It is�\[2J locked: stop the other\.$/m);
});

test("status of a book of files that the daemon has open says who counts what is in it", async () => {
  const { exit, out } = await type(["status"], status({ book: { isInDaemon: true } }));
  assert.equal(exit, 0);
  assert.match(out, /^Book: \/var\/book\.db, open in the daemon: daybook queue stats counts/m);
});

test("status as data is the facts themselves", async () => {
  const { out } = await type(["status", "--json"], status());
  assert.deepEqual(JSON.parse(out), facts);
});

test("status speaks Korean", async () => {
  const reader = async (): Promise<Reader> => bookFixture().reader("ko");
  const { out } = await type(["status"], { ...status(), reader });
  assert.match(
    out,
    /^Daybook 1\.2\.3 실행 중: 2026년 11월 16일 \(월\) 오전 6:55:00부터 \(1시간 5분\)/,
  );
  assert.match(out, /^ {2}대기열 {9}지금 {3}나중 {3}작업 중 {3}가장 오래됨$/m);
  assert.match(out, /^ {2}notification {3}2 {6}10 {5}1 {9}3초$/m);
});
