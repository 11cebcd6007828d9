/** A text in mrkdwn, as people see it. */
export interface SlackShown {
  readonly text: string;
  /** Where its links point to. */
  readonly links: readonly string[];
  /** Its mentions: `!channel`, `@U1`, `#C1`. */
  readonly pings: readonly string[];
}

const fence = /```([\s\S]+?)```/g;
const inlineCode = /`([^`\n]+)`/g;
const token = /<([^<>\n]+)>/g;
/** A mark has no letter next to it outside, and no space inside. */
const marks = [
  /(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*?[^\s*])?\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*?[^\s_])?_(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}~])~(?=[^\s~])([^~\n]*?[^\s~])?~(?![\p{L}\p{N}~])/gu,
];

/** Reads mrkdwn as Slack shows it: links and mentions in angle brackets, without marks. */
export function readMrkdwn(source: string): SlackShown {
  const links: string[] = [];
  const pings: string[] = [];
  const kept: string[] = [];
  // Code keeps its marks: placeholders protect it while the other marks are removed.
  const keep = (text: string): string => `\u{F0000}${kept.push(text) - 1}\u{F0001}`;
  const resolved = source.replaceAll(token, (_, inner: string) => {
    const [aim = "", label] = inner.split(/\|(.*)/s);
    // A date is shown by its fallback text.
    if (aim.startsWith("!date^")) return keep(label ?? "");
    if (/^[!@#]/.test(aim)) {
      pings.push(aim);
      return keep(label ?? aim.replace(/^!/, "@"));
    }
    links.push(unescaped(aim));
    return label === undefined ? keep(aim) : label;
  });
  let text = resolved
    .replaceAll(fence, (_, code: string) => keep(code.replace(/^\n/, "")))
    .replaceAll(inlineCode, (_, code: string) => keep(code))
    .replaceAll(/^&gt; ?/gm, "");
  for (const mark of marks) text = text.replaceAll(mark, "$1");
  while (/\u{F0000}\d+\u{F0001}/u.test(text)) {
    text = text.replaceAll(/\u{F0000}(\d+)\u{F0001}/gu, (_, at: string) => kept[Number(at)] ?? "");
  }
  return { text: unescaped(text).replaceAll(/[\u200B\u2060]/g, ""), links, pings };
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
