import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { hasCode } from "./base/errors.ts";
import { parseStore, readConfig, type StoreUrl } from "./config.ts";

function refuses(read: () => unknown, says: RegExp): void {
  assert.throws(read, (error) => hasCode(error, "invalid") && says.test(error.message));
}

const ownHome = join(homedir(), ".local", "share", "daybook");

describe("without any setting", () => {
  const { timeZone } = new Intl.DateTimeFormat("en").resolvedOptions();
  const plain = {
    home: ownHome,
    store: { kind: "sqlite", path: join(ownHome, "book.db") },
    timezone: timeZone,
    color: true,
    leaseMs: 15_000,
  };
  test("the book is in the user's own folder, and the zone is the machine's", () => {
    assert.deepEqual(readConfig({}, true), plain);
  });
  test("a variable that is set to nothing counts as not set", () => {
    const names =
      "DAYBOOK_HOME,DAYBOOK_STORE,DAYBOOK_TIMEZONE,DAYBOOK_LEASE_SECONDS,XDG_DATA_HOME,NO_COLOR";
    const empty = Object.fromEntries(names.split(",").map((name) => [name, ""]));
    assert.deepEqual(readConfig(empty, true), plain);
  });
});

describe("the home", () => {
  const homes: [env: Record<string, string>, home: string][] = [
    [{ XDG_DATA_HOME: "/data" }, "/data/daybook"],
    [{ XDG_DATA_HOME: "relative" }, ownHome],
    [{ DAYBOOK_HOME: "/book", XDG_DATA_HOME: "/data" }, "/book"],
    [{ DAYBOOK_HOME: "here" }, resolve("here")],
  ];
  for (const [env, home] of homes) {
    test(`with ${JSON.stringify(env)} is ${home}, and the book is in it`, () => {
      const config = readConfig(env, false);
      assert.equal(config.home, home);
      assert.deepEqual(config.store, { kind: "sqlite", path: join(home, "book.db") });
    });
  }
});

describe("the store", () => {
  const known: [url: string, store: StoreUrl][] = [
    ["memory:", { kind: "memory" }],
    ["sqlite:/var/book.db", { kind: "sqlite", path: "/var/book.db" }],
    ["sqlite:///var/book.db", { kind: "sqlite", path: "/var/book.db" }],
    ["sqlite:book.db", { kind: "sqlite", path: resolve("book.db") }],
    ["sqlite:/with space/b?c=d#e", { kind: "sqlite", path: "/with space/b?c=d#e" }],
    ["file:book", { kind: "file", folder: resolve("book") }],
    ["postgres://localhost/daybook", { kind: "postgres", url: "postgres://localhost/daybook" }],
    ["postgresql://u:p@h:1/d", { kind: "postgres", url: "postgresql://u:p@h:1/d" }],
    ["sqlite:~/book.db", { kind: "sqlite", path: join(homedir(), "book.db") }],
  ];
  for (const [url, store] of known) {
    test(`${url} is known`, () => {
      assert.deepEqual(parseStore(url), store);
      assert.deepEqual(readConfig({ DAYBOOK_STORE: url }, false).store, store);
    });
  }
  const unknown = [
    "",
    "book.db",
    "/var/book.db",
    "postgres://",
    "postgres:localhost",
    "file:",
    "sqlite",
    "sqlite:",
    "sqlite://",
    "sqlite:///",
    "SQLITE:/x",
    "memory",
    "memory:x",
    "sqlite:a\nb",
    "\u001B[2J",
  ];
  for (const url of unknown) {
    test(`${JSON.stringify(url)} is refused, and what is known is said`, () => {
      refuses(
        () => parseStore(url),
        /^"\P{Cc}*" is not a store I know: write sqlite:PATH, file:FOLDER,/u,
      );
    });
  }
});

test("SQLite's own word for memory is answered with ours", () => {
  refuses(() => parseStore("sqlite::memory:"), /memory: without sqlite/);
});

describe("the time zone", () => {
  test("is the one that is asked for", () => {
    assert.equal(readConfig({ DAYBOOK_TIMEZONE: "Asia/Seoul" }, false).timezone, "Asia/Seoul");
  });
  for (const zone of ["Asia/Soul", "KST+9", " ", "Europe/../etc"]) {
    test(`${JSON.stringify(zone)} is refused`, () => {
      refuses(
        () => readConfig({ DAYBOOK_TIMEZONE: zone }, false),
        /^DAYBOOK_TIMEZONE is ".*", which is no time zone: write it like "Asia\/Seoul"\.$/,
      );
    });
  }
  test("is UTC on a machine whose own zone is broken", () => {
    const before = process.env["TZ"];
    try {
      for (const broken of ["Not/AZone", ""]) {
        process.env["TZ"] = broken;
        assert.equal(readConfig({}, false).timezone, "UTC");
      }
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });
});

describe("color", () => {
  const table: [env: Record<string, string>, isTerminal: boolean, color: boolean][] = [
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "0" }, true, false],
    [{ NO_COLOR: "" }, true, true],
  ];
  for (const [env, isTerminal, color] of table) {
    test(`is ${color ? "on" : "off"} for ${JSON.stringify(env)}, terminal: ${isTerminal}`, () => {
      assert.equal(readConfig(env, isTerminal).color, color);
    });
  }
});

describe("the lease", () => {
  const read: [text: string, ms: number][] = [
    ["1", 1_000],
    ["2.5", 2_500],
    ["3600", 3_600_000],
  ];
  for (const [text, ms] of read) {
    test(`of ${text} seconds is ${ms} ms`, () => {
      assert.equal(readConfig({ DAYBOOK_LEASE_SECONDS: text }, false).leaseMs, ms);
    });
  }
  for (const text of ["0", "0.9", "-1", "3601", "Infinity", "NaN", "15s", "1,5", " "]) {
    test(`of ${JSON.stringify(text)} is refused`, () => {
      refuses(
        () => readConfig({ DAYBOOK_LEASE_SECONDS: text }, false),
        /^DAYBOOK_LEASE_SECONDS is ".*": write 1 to 3600\.$/,
      );
    });
  }
});
