import { exits, type Command, type Flags, type Typed } from "./command.ts";
import { input } from "./inputs.ts";

/** Settings that have flags, by their keys in the file. */
const settings = [
  ["home", input("--home", "the folder for everything Daybook keeps")],
  ["store", input("--store", "the book: sqlite:PATH, file:FOLDER, postgres://… or memory:")],
  ["http.host", input("--host", "the address it listens on", { aliases: ["http.host"] })],
  ["http.port", input("--port", "the port it listens on", { aliases: ["http.port"] })],
  ["http.publicUrl", input("--public-url", "how others reach it", { aliases: ["http.publicUrl"] })],
  ["timezone", input("--timezone", "how times are shown, such as Asia/Seoul")],
  ["language", input("--language", "what is said in", { values: ["en", "ko"] })],
  [
    "leaseSeconds",
    input("--lease-seconds", "after how long a crashed node's work is taken over: 1 to 21600", {
      aliases: ["leaseSeconds"],
    }),
  ],
  [
    "log.level",
    input("--log-level", "the lowest level that is written", {
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
  summary: "Do what is in the book, until stopped.",
  inputs: settingInputs,
  hasJson: false,
  async run(typed, ports) {
    await ports.serve(flagsFrom(typed));
    return exits.done;
  },
};

export const mcp: Command = {
  name: "mcp",
  summary: "Let an agent ask, over this terminal's input and output (MCP).",
  inputs: [input("--tools", "which tools it is offered", { values: ["default", "all"] })],
  hasJson: false,
  async run({ input }, ports) {
    await ports.mcp(input["tools"] === "all" ? "all" : "default");
    return exits.done;
  },
};
