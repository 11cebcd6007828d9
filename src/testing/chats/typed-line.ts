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
  const [, place, topic, said] = /^(\w+)(?: (\d+))?:\s*(.+)$/.exec(line) ?? [];
  const text = said ?? "";
  switch (place) {
    case "second":
      return { telegram: "second", text };
    case "group":
      return { telegram: "group", ...(topic !== undefined && { topic: Number(topic) }), text };
    case "slack":
      return { slack: "direct", text };
    case "channel":
    case "thread":
      return { slack: place, text };
    case "discord": {
      const [, name = "help", words = ""] = /^\/?(\S+)\s*(.*)$/.exec(text) ?? [];
      return { discord: name, text: words };
    }
  }
  return line.trim() === "" ? undefined : { telegram: "first", text: line };
}
