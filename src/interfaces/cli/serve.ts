import { exits, type Command, type Flags, type Typed } from "./command.ts";
import { input } from "./inputs.ts";

/** Settings that have flags, by their keys in the file. */
const settings = [
  ["home", input("--home", "the folder of all data. Default: ~/.local/share/daybook")],
  [
    "store",
    input(
      "--store",
      "the store of the book: sqlite:PATH, file:FOLDER, postgres://… or memory:. Default: book.db in the folder",
    ),
  ],
  [
    "http.host",
    input("--host", "the address it listens on. Default: 127.0.0.1", { aliases: ["http.host"] }),
  ],
  [
    "http.port",
    input("--port", "the port it listens on. Default: 4810", { aliases: ["http.port"] }),
  ],
  [
    "http.publicUrl",
    input(
      "--public-url",
      "the URL under which others reach it, such as https://daybook.example.org",
      { aliases: ["http.publicUrl"] },
    ),
  ],
  ["timezone", input("--timezone", "the time zone, such as Asia/Seoul. Default: the machine's")],
  [
    "language",
    input("--language", "the language of answers and messages: en or ko", { values: ["en", "ko"] }),
  ],
  [
    "leaseSeconds",
    input(
      "--lease-seconds",
      "seconds until another node takes over a crashed node's work: 1 to 21600. Default: 15",
      {
        aliases: ["leaseSeconds"],
      },
    ),
  ],
  [
    "log.level",
    input("--log-level", "the lowest level of the log: debug, info, warn or error. Default: info", {
      aliases: ["log.level"],
      values: ["debug", "info", "warn", "error"],
    }),
  ],
] as const;

const settingInputs = settings.map(([, each]) => each);

/** The typed settings by their keys. */
function flagsFrom({ input }: Typed): Flags {
  const given = settings.flatMap(([key, { name }]) => {
    const text = input[name];
    return typeof text === "string" ? [[key, text] as const] : [];
  });
  return Object.fromEntries(given);
}

export const start: Command = {
  name: "start",
  summary: "Start the daemon. It runs until it is stopped.",
  inputs: settingInputs,
  hasJson: false,
  async run(typed, ports) {
    await ports.serve(flagsFrom(typed));
    return exits.done;
  },
};

export const mcp: Command = {
  name: "mcp",
  summary: "Serve an agent over standard input and output (MCP).",
  inputs: [
    input("--tools", "the tools to offer: default or all. Default: default", {
      values: ["default", "all"],
    }),
  ],
  hasJson: false,
  async run({ input }, ports) {
    await ports.mcp(input["tools"] === "all" ? "all" : "default");
    return exits.done;
  },
};
