/** What a person does in the fake chats, by a typed line. */
export type Typed =
  | { readonly button: number }
  /** To Telegram: a private chat, or a group and one of its topics. */
  | {
      readonly telegram: "first" | "second" | "group";
      readonly topic?: number;
      readonly text: string;
    }
  | { readonly slack: "direct" | "channel" | "thread"; readonly text: string }
  | { readonly discord: string; readonly text: string };

/** `TEXT`, `second: TEXT`, `group: TEXT`, `group 3: TEXT`, `slack: TEXT`, `channel: TEXT`, `thread: TEXT`, `discord: /NAME TEXT`, `!1`. */
export function readLine(line: string): Typed | undefined {
  const [, button] = /^!(\d+)$/.exec(line.trim()) ?? [];
  if (button !== undefined) return { button: Number(button) };
  const [, place = "", topic, text = ""] = /^(\w+)(?: (\d+))?:\s*(.+)$/.exec(line) ?? [];
  const there = places.get(place)?.(text);
  if (there === undefined)
    return line.trim() === "" ? undefined : { telegram: "first", text: line };
  return topic !== undefined && "telegram" in there ? { ...there, topic: Number(topic) } : there;
}

const places = new Map<string, (text: string) => Typed>([
  ["second", (text) => ({ telegram: "second", text })],
  ["group", (text) => ({ telegram: "group", text })],
  ["slack", (text) => ({ slack: "direct", text })],
  ["channel", (text) => ({ slack: "channel", text })],
  ["thread", (text) => ({ slack: "thread", text })],
  ["discord", inDiscord],
]);

function inDiscord(typed: string): Typed {
  const [, discord = "help", text = ""] = /^\/?(\S+)\s*(.*)$/.exec(typed) ?? [];
  return { discord, text };
}
