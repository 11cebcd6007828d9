import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import type { Config } from "./config.ts";
import { loadConfig, readConfig, type Loaded } from "./load.ts";
import { parseStore, type StoreUrl } from "./store-url.ts";

function refuses(read: () => unknown, says: RegExp): void {
  assert.throws(read, (error) => hasCode(error, "invalid") && says.test(error.message));
}

/** Loads as in the folder /place, with the files that are given. */
function load(
  env: Record<string, string>,
  files: Record<string, string> = {},
  flags: Record<string, string> = {},
): Loaded {
  const readText = (path: string): string | undefined => files[path];
  return loadConfig({ env, flags, cwd: "/place", isTerminal: false, readText });
}

function loadFile(text: string, env: Record<string, string> = {}): Loaded {
  return load(env, { "/place/daybook.yaml": text });
}

/** What a file that sets nothing leaves: commands run beside it. */
function besideFile(): Config {
  const { config } = load({});
  const { command } = config.runners;
  return { ...config, runners: { ...config.runners, command: { ...command, cwd: "/place" } } };
}

function bare(env: Record<string, string>, isTerminal = false): Config {
  const parts = { flags: {}, cwd: process.cwd(), readText: () => undefined };
  return loadConfig({ env, isTerminal, ...parts }).config;
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    assert.ok(hasCode(error, "invalid"), String(error));
    const problems = error.details["problems"];
    assert.ok(Array.isArray(problems));
    return problems.map(String);
  }
  return [];
}

function originOf({ origins }: Loaded, key: string): string | undefined {
  const found = origins.find((each) => each.key === key);
  return found && `${found.value} from ${found.from}`;
}

const ownHome = join(homedir(), ".local", "share", "daybook");

describe("without any setting", () => {
  const { timeZone } = new Intl.DateTimeFormat("en").resolvedOptions();
  const plain = {
    home: ownHome,
    store: { kind: "sqlite", path: join(ownHome, "book.db") },
    timezone: timeZone,
    timezoneFrom: "host",
    language: "en",
    color: true,
    leaseMs: 15_000,
    keepMs: 90 * 86_400_000,
    http: { host: "127.0.0.1", port: 4_810 },
    owners: {},
    channels: { webhook: { allow: [] }, exec: {}, defaultTarget: null },
    runners: {
      max: 3,
      command: { allow: [], env: ["PATH", "HOME", "LANG", "TZ"], cwd: ownHome },
    },
    limits: { schedulesMax: 50, minGapMs: 60_000, undeliverableMax: 5 },
    calendars: { allow: [], pollMs: 60_000, google: {} },
    schedules: {},
    curves: {},
    handlers: [],
    sources: [],
    hooks: [],
    health: {
      yellow: { cpu: 60, memory: 60, disk: 85 },
      red: { cpu: 80, memory: 80, disk: 95 },
    },
    machines: "local",
    docker: { network: "bridge", pull: false },
    archives: { kind: "dir", folder: `${ownHome}/archives` },
    s3: { region: "us-east-1" },
    workspaces: {
      folder: `${ownHome}/workspaces`,
      limits: { perOwner: 2, inAll: 100 },
      pollMs: 60_000,
      stopWithDaemon: false,
      concurrency: 10,
      administrator: null,
      defaults: {
        imageRef: "local",
        machine: { memoryMb: 1_024, cpus: 1, pids: 512 },
        standbyTtlSeconds: 300,
        archiveTtlSeconds: 86_400,
        wakeAheadSeconds: 120,
      },
      keep: {},
    },
    plugins: [],
    log: { level: "info", format: "pretty" },
    debug: [],
  };
  test("the book is in the user's own folder, and the zone is the machine's", () => {
    assert.deepEqual(bare({}, true), plain);
  });
  test("a variable that is set to nothing counts as not set", () => {
    const names =
      "DAYBOOK_CONFIG,DAYBOOK_HOME,DAYBOOK_STORE,DAYBOOK_TIMEZONE,DAYBOOK_LEASE_SECONDS,DAYBOOK_PORT," +
      "DAYBOOK_WEBHOOK_ALLOW,DAYBOOK_LANGUAGE,DEBUG,LANG,XDG_DATA_HOME,NO_COLOR";
    const empty = Object.fromEntries(names.split(",").map((name) => [name, ""]));
    assert.deepEqual(bare(empty, true), plain);
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
      const config = bare(env);
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
    test(`${url} is read`, () => {
      assert.deepEqual(parseStore(url), store);
      assert.deepEqual(bare({ DAYBOOK_STORE: url }).store, store);
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
    test(`${JSON.stringify(url)} is refused with the known forms`, () => {
      refuses(() => parseStore(url), /^"\P{Cc}*" is not a store: write sqlite:PATH, file:FOLDER,/u);
    });
  }
});

test("SQLite's own form of memory is refused with Daybook's", () => {
  refuses(() => parseStore("sqlite::memory:"), /memory: for a book in memory, without sqlite/);
});

describe("the time zone", () => {
  test("is the set one", () => {
    assert.equal(bare({ DAYBOOK_TIMEZONE: "Asia/Seoul" }).timezone, "Asia/Seoul");
  });
  for (const zone of ["Asia/Soul", "KST+9", " ", "Europe/../etc"]) {
    test(`${JSON.stringify(zone)} is refused`, () => {
      refuses(
        () => bare({ DAYBOOK_TIMEZONE: zone }),
        /^DAYBOOK_TIMEZONE is ".*": write a time zone like "Asia\/Seoul"\.$/,
      );
    });
  }
  test("is UTC on a machine whose own zone is broken", () => {
    const before = process.env["TZ"];
    try {
      for (const broken of ["Not/AZone", ""]) {
        process.env["TZ"] = broken;
        assert.equal(bare({}).timezone, "UTC");
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
      assert.equal(bare(env, isTerminal).color, color);
    });
  }
});

describe("the lease", () => {
  const read: [text: string, ms: number][] = [
    ["1", 1_000],
    ["2.5", 2_500],
    ["21600", 21_600_000],
  ];
  for (const [text, ms] of read) {
    test(`of ${text} seconds is ${ms} ms`, () => {
      assert.equal(bare({ DAYBOOK_LEASE_SECONDS: text }).leaseMs, ms);
    });
  }
  for (const text of ["0", "0.9", "-1", "21601", "Infinity", "NaN", "15s", "1,5", " "]) {
    test(`of ${JSON.stringify(text)} is refused`, () => {
      refuses(
        () => bare({ DAYBOOK_LEASE_SECONDS: text }),
        /^DAYBOOK_LEASE_SECONDS is ".*": write a number from 1 to 21600\.$/,
      );
    });
  }
});

describe("precedence", () => {
  const file = "http: { port: 3 }\nlanguage: ko\ntimezone: Asia/Seoul\n";
  const env = { DAYBOOK_PORT: "2", DAYBOOK_LANGUAGE: "en" };
  test("a flag wins over a variable, a variable over the file, the file over the default", () => {
    const files = { "/place/daybook.yaml": file };
    const loaded = load(env, files, { "http.port": "1" });
    const { http, language, timezone, leaseMs } = loaded.config;
    assert.deepEqual([http.port, language, timezone, leaseMs], [1, "en", "Asia/Seoul", 15_000]);
    assert.equal(originOf(loaded, "http.port"), "1 from flag");
    assert.equal(originOf(loaded, "language"), "en from env DAYBOOK_LANGUAGE");
    assert.equal(originOf(loaded, "timezone"), "Asia/Seoul from daybook.yaml:3:1");
    assert.equal(originOf(loaded, "leaseSeconds"), "15 from default");
    assert.equal(load(env, files).config.http.port, 2);
    assert.equal(load({}, files).config.http.port, 3);
    assert.equal(load({}).config.http.port, 4_810);
  });
  test("a variable does not hide problems of the file", () => {
    assert.deepEqual(
      problemsOf(() => loadFile("http: { port: x }", env)),
      ['daybook.yaml:1:9  http.port is "x": write a whole number from 0 to 65535'],
    );
  });
  test("an unknown flag is refused with the nearest setting", () => {
    assert.deepEqual(
      problemsOf(() => load({}, {}, { "http.prot": "1" })),
      ['unknown setting "http.prot": did you mean --http.port?'],
    );
  });
  test("a misspelt variable is warned of, an unrelated one is not", () => {
    assert.deepEqual(load({ DAYBOOK_STROE: "memory:", DAYBOOK_SOMETHING_ELSE: "9" }).warnings, [
      'the variable "DAYBOOK_STROE" is not read: did you mean DAYBOOK_STORE?',
    ]);
  });
  test("a variable holds a list with commas", () => {
    const { config } = load({ DAYBOOK_WEBHOOK_ALLOW: "a.example, b:80", DEBUG: "crew,lanes" });
    assert.deepEqual(config.channels.webhook.allow, ["a.example", "b:80"]);
    assert.deepEqual(config.debug, ["crew", "lanes"]);
  });
});

describe("the file", () => {
  const port = (number: number): string => `http: { port: ${number} }`;
  const all = {
    "/named.yaml": port(1),
    "/place/variable.yaml": port(2),
    "/place/daybook.yaml": port(3),
    "/xdg/daybook/daybook.yaml": port(4),
    "/etc/daybook/daybook.yaml": port(5),
  };
  const env = { DAYBOOK_CONFIG: "variable.yaml", XDG_CONFIG_HOME: "/xdg" };
  test("is the named one, or the first that exists", () => {
    const files: Record<string, string> = { ...all };
    assert.equal(load(env, files, { config: "/named.yaml" }).file, "/named.yaml");
    assert.equal(load(env, files).file, "/place/variable.yaml");
    for (const path of Object.keys(all).slice(2)) {
      assert.equal(load({ XDG_CONFIG_HOME: "/xdg" }, files).file, path);
      delete files[path];
    }
    assert.equal(load({ XDG_CONFIG_HOME: "/xdg" }, files).file, null);
  });
  test("is in the user's configuration folder by default", () => {
    const own = join(homedir(), ".config", "daybook", "daybook.yaml");
    assert.equal(load({ XDG_CONFIG_HOME: "relative" }, { [own]: "" }).file, own);
  });
  test("that was named must exist", () => {
    refuses(
      () => load({}, all, { config: "no.yaml" }),
      /^--config is "no.yaml", and that file does not/,
    );
    refuses(() => load({ DAYBOOK_CONFIG: "no.yaml" }, all), /^DAYBOOK_CONFIG is "no.yaml", and/);
  });
  test("that cannot be read is an error, not an absence", () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-config-"));
    try {
      mkdirSync(join(folder, "daybook.yaml"));
      const env = { DAYBOOK_CONFIG: join(folder, "daybook.yaml") };
      assert.throws(
        () => readConfig(env, false),
        (error) => hasCode(error, "unavailable") && /EISDIR/.test(error.message),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  test("is read from the disk", () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-config-"));
    try {
      const path = join(folder, "my.yaml");
      writeFileSync(
        path,
        "store: sqlite:./data/book.db\nchannels: { ntfy: { token: { file: t } } }",
      );
      writeFileSync(join(folder, "t"), "tk_1\n");
      const config = readConfig({ DAYBOOK_CONFIG: path }, false);
      assert.deepEqual(config.store, { kind: "sqlite", path: join(folder, "data", "book.db") });
      assert.equal(config.channels.ntfy?.token, "tk_1");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  test("starts relative paths at its folder, a variable at the working folder", () => {
    const text =
      "home: here\nstore: file:./book\nchannels: { exec: { a: { command: [./a.sh] }, b: { command: [b] } } }";
    const files = { "/etc/daybook/daybook.yaml": text };
    const { home, store, channels } = load({}, files).config;
    assert.equal(home, "/etc/daybook/here");
    assert.deepEqual(store, { kind: "file", folder: "/etc/daybook/book" });
    assert.deepEqual(channels.exec["a"]?.command, ["/etc/daybook/a.sh"]);
    assert.deepEqual(channels.exec["b"]?.command, ["b"]);
    const moved = load({ DAYBOOK_STORE: "file:book", DAYBOOK_HOME: "there" }, files).config;
    assert.equal(moved.home, "/place/there");
    assert.deepEqual(moved.store, { kind: "file", folder: "/place/book" });
  });
  test("runs commands in its folder by default, or in the home without a file", () => {
    const runsIn = (text: string): string =>
      load({ DAYBOOK_HOME: "/home" }, { "/etc/daybook/daybook.yaml": text }).config.runners.command
        .cwd;
    assert.equal(runsIn("{}"), "/etc/daybook");
    assert.equal(runsIn("runners: { command: { folder: jobs } }"), "/etc/daybook/jobs");
    assert.equal(load({ DAYBOOK_HOME: "/home" }).config.runners.command.cwd, "/home");
    const jobs =
      "runners: { command: { allow: [./jobs/*] } }\nhandlers: { a: { run: { command: [./jobs/a] } } }";
    const { warnings } = load({ DAYBOOK_HOME: "/home" }, { "/etc/daybook/daybook.yaml": jobs });
    assert.deepEqual(warnings, []);
  });
  for (const text of ["", "# nothing\n", "---\n", "{}"]) {
    test(`of ${JSON.stringify(text)} sets nothing`, () => {
      const { config, warnings } = loadFile(text);
      assert.deepEqual([config, warnings], [besideFile(), []]);
    });
  }
  test("can leave a known key empty, with a warning", () => {
    const { config, warnings } = loadFile("http:\nchannels:\n  desktop:\n");
    assert.deepEqual(config, besideFile());
    assert.deepEqual(warnings, [
      "daybook.yaml:1:1  http has no value and counts as not set",
      "daybook.yaml:3:3  channels.desktop has no value and counts as not set",
    ]);
    assert.match(problemsOf(() => loadFile("htpt:\n")).join(), /did you mean "http"/);
  });
});

describe("the language", () => {
  const table: [env: Record<string, string>, from: string][] = [
    [{ LANG: "ko_KR.UTF-8" }, "ko from env LANG"],
    [{ LANG: "ko" }, "ko from env LANG"],
    [{ LANG: "kok_IN" }, "en from default"],
    [{ LANG: "ko_KR.UTF-8", LC_ALL: "C" }, "en from default"],
    [{ LANG: "C", LC_ALL: "ko_KR" }, "ko from env LC_ALL"],
    [{ LANG: "ko_KR", DAYBOOK_LANGUAGE: "en" }, "en from env DAYBOOK_LANGUAGE"],
  ];
  for (const [env, from] of table) {
    test(`with ${JSON.stringify(env)} is ${from}`, () => {
      assert.equal(originOf(load(env), "language"), from);
    });
  }
  test("of the file wins over the system's", () => {
    assert.equal(loadFile("language: en", { LANG: "ko_KR" }).config.language, "en");
  });
});

test("the origin of the time zone is a setting or the host", () => {
  assert.equal(loadFile("log: { level: warn }").config.timezoneFrom, "host");
  assert.equal(loadFile("timezone: Asia/Seoul").config.timezoneFrom, "setting");
  assert.equal(load({ DAYBOOK_TIMEZONE: "UTC" }).config.timezoneFrom, "setting");
});

describe("problems", () => {
  const table: [text: string, problem: string][] = [
    [
      "owners:\n  mina:\n    quite: {}",
      'daybook.yaml:3:5  unknown key "quite" in owners.mina: did you mean "quiet"?',
    ],
    [
      "http: { x: 1 }",
      'daybook.yaml:1:9  unknown key "x" in http: use one of host, port, publicUrl',
    ],
    [
      "channels: { desktop: { x: 1 } }",
      'daybook.yaml:1:24  unknown key "x" in channels.desktop: use one of inbox',
    ],
    ["<<: { language: ko }", 'daybook.yaml:1:1  unknown key "<<": use one of'],
    ["__proto__: { language: ko }", 'daybook.yaml:1:1  unknown key "__proto__": use one of'],
    ["language: no", 'daybook.yaml:1:1  language is "no": write "en" or "ko"'],
    ["\nlog: 3", "daybook.yaml:2:1  log is 3: write its keys under it (level, format)"],
    [
      "leaseSeconds: '15'",
      'daybook.yaml:1:1  leaseSeconds is "15": write a number from 1 to 21600',
    ],
    ["keepDays: 1.5", "daybook.yaml:1:1  keepDays is 1.5: write a whole number from 1 to 36500"],
    [
      "heartbeat: {}",
      "daybook.yaml:1:1  heartbeat.url is missing: write a complete http or https URL",
    ],
    [
      "heartbeat: { url: 'https://a', every: 0s }",
      'daybook.yaml:1:32  heartbeat.every is "0s": write',
    ],
    ["heartbeat: { url: 'file:///a' }", 'daybook.yaml:1:14  heartbeat.url is "file:///a": write'],
    ["store: { env: A, file: B }", "daybook.yaml:1:1  store is a group of keys: write sqlite:PATH"],
    [
      "store: mysql://u:hidden@h/d",
      'daybook.yaml:1:1  store is "mysql://u:***@h/d": write sqlite:',
    ],
    ["timezone: { env: TZ }", "daybook.yaml:1:1  timezone is a group of keys: write a time zone"],
    ["owners: { mina: 3 }", "daybook.yaml:1:11  owners.mina is 3: write its keys under it ("],
    [
      "owners: { mina: { home: ntfy } }",
      'daybook.yaml:1:19  owners.mina.home is "ntfy": write a target',
    ],
    [
      "owners: { mina: { quiet: { from: 24:00, to: 07:00 } } }",
      'daybook.yaml:1:28  owners.mina.quiet.from is "24:00": write a time of day like "22:00"',
    ],
    [
      "owners: { mina: { quiet: { from: 07:00, to: 07:00 } } }",
      "daybook.yaml:1:19  owners.mina.quiet is invalid: write {",
    ],
    [
      "channels: { webhook: { allow: [a, 'http://b'] } }",
      'daybook.yaml:1:35  channels.webhook.allow[1] is "http://b": write a list of hosts',
    ],
    [
      'channels: { exec: { "a\\nb": { command: [x] } } }',
      "daybook.yaml:1:21  channels.exec.a b has an invalid name: write a name of letters",
    ],
    [
      "channels: { exec: { a: { command: [] } } }",
      "daybook.yaml:1:26  channels.exec.a.command is a list: write",
    ],
  ];
  for (const [text, problem] of table) {
    test(`of ${JSON.stringify(text)} are reported`, () => {
      const problems = problemsOf(() => loadFile(text));
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.equal(problems[0]?.slice(0, problem.length), problem);
    });
  }
  test("are reported at once, by line, each on its own", () => {
    const lines = Array.from({ length: 9 }, () => "").join("\n");
    const text = `language: fr${lines}\nlog: { levle: info }\nchannels: { ntfy: { token: { env: NONE } } }`;
    const env = { DAYBOOK_PORT: "-1" };
    const told = [
      'DAYBOOK_PORT is "-1": write a whole number from 0 to 65535.',
      'daybook.yaml:1:1  language is "fr": write "en" or "ko".',
      'daybook.yaml:10:8  unknown key "levle" in log: did you mean "level"?',
      "daybook.yaml:11:21  channels.ntfy.token needs the variable NONE: set it.",
    ];
    assert.throws(() => loadFile(text, env), { message: told.join("\n") });
  });
  test("beyond the first fifty are counted", () => {
    const text = Array.from({ length: 60 }, (_, at) => `key${at}: 1`).join("\n");
    refuses(() => loadFile(text), /\n… and 10 more\.$/);
    assert.equal(problemsOf(() => loadFile(text)).length, 60);
  });
});

describe("a secret", () => {
  const token = (text: string): string => `channels: { ntfy: { token: ${text} } }`;
  test("comes from a variable or from a file beside the configuration", () => {
    const files = { "/place/daybook.yaml": token("{ file: ../key }"), "/key": " tk_2\n" };
    assert.equal(load({}, files).config.channels.ntfy?.token, "tk_2");
    assert.equal(loadFile(token("{ env: T }"), { T: "tk_3" }).config.channels.ntfy?.token, "tk_3");
  });
  test("that is missing is a problem", () => {
    assert.deepEqual(
      problemsOf(() => loadFile(token("{ file: key }"))),
      [
        "daybook.yaml:1:21  channels.ntfy.token needs the file /place/key: write the secret into it",
      ],
    );
  });
  test("in the file is accepted with a warning", () => {
    const { config, warnings } = loadFile(token("tk_4"));
    assert.equal(config.channels.ntfy?.token, "tk_4");
    assert.deepEqual(warnings, [
      "daybook.yaml:1:21  channels.ntfy.token has a secret in the file: write { env: NAME } or { file: PATH } instead",
    ]);
  });
  test("is never shown among the origins", () => {
    for (const text of ["tk_5", "{ env: T }"]) {
      const loaded = loadFile(token(text), { T: "tk_5" });
      assert.equal(originOf(loaded, "channels.ntfy.token"), "*** from daybook.yaml:1:21");
    }
    const url = "postgres://u:tk@5/x@h/d?password=tk_5&a=b";
    for (const loaded of [
      load({ DAYBOOK_STORE: url }),
      loadFile("store: { env: T }", { T: url }),
    ]) {
      assert.deepEqual(loaded.config.store, { kind: "postgres", url });
      assert.doesNotMatch(JSON.stringify(loaded.origins), /tk/);
    }
  });
  test("of a reference is not shown when it has the wrong form", () => {
    assert.deepEqual(
      problemsOf(() => loadFile("store: { env: T }", { T: "tk_6" })).map((line) =>
        line.slice(0, 58),
      ),
      ["daybook.yaml:1:1  store has a secret of the wrong form: wr"],
    );
  });
  test("in the URL of a store in the file causes a warning", () => {
    assert.match(loadFile("store: postgres://u:p@h/d").warnings.join(), /store has a secret/);
    assert.deepEqual(loadFile("store: postgres://h/d").warnings, []);
    assert.deepEqual(load({ DAYBOOK_STORE: "postgres://u:p@h/d" }).warnings, []);
  });
});

test("a plugin's path starts at the file, and a package is looked for from there", () => {
  const { config } = loadFile("plugins: [./a.ts, ../b.ts, /c.ts, ~/d.ts, some-package, '@a/b']");
  const paths = ["/place/a.ts", "/b.ts", "/c.ts", join(homedir(), "d.ts"), "some-package", "@a/b"];
  const from = "/place";
  assert.deepEqual(
    config.plugins,
    paths.map((name) => ({ name, from })),
  );
  assert.deepEqual(
    problemsOf(() => loadFile("plugins: ./a.ts")),
    [
      'daybook.yaml:1:1  plugins is "./a.ts": write a list like [./channels/pager.ts, some-package]',
    ],
  );
});
