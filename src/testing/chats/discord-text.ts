/** A text in Discord's Markdown, as people see it. */
export interface DiscordShown {
  readonly text: string;
  readonly links: readonly string[];
  /** Its mentions: `everyone`, `here`, `<@1>`. */
  readonly pings: readonly string[];
}

const special =
  /\\([^\p{L}\p{N}\s])|```(?:[\w+-]+\n|\n)?([\s\S]+?)```|(?<ticks>`+)([^`](?:.*?[^`])??)\k<ticks>(?!`)|\[((?:\\.|[^[\]\\])+)\]\((?:<([^\s<>]+)>|([^\s()<>]+))\)|<(https?:[^\s<>]+)>/gu;
const call = /@(everyone|here)|<@[!&]?\d+>/g;
const marks = [
  /\*\*(?=\S)([\s\S]+?)\*\*/g,
  /__(?=\S)([\s\S]+?)__/g,
  /~~(?=\S)([\s\S]+?)~~/g,
  /\|\|(?=\S)([\s\S]+?)\|\|/g,
  /\*(?=[^\s*])([^*]*?[^\s*])\*/g,
  /(?<![\p{L}\p{N}])_(?=[^\s_])([^_]*?[^\s_])_(?![\p{L}\p{N}])/gu,
];

export function readDiscord(source: string): DiscordShown {
  const links: string[] = [];
  const kept: string[] = [];
  // Escaped text and code keep their marks: placeholders protect them while the other marks are removed.
  const keep = (text = ""): string => `\u{F0000}${kept.push(text) - 1}\u{F0001}`;
  const replace = (_: string, ...groups: readonly (string | undefined)[]): string => {
    const [escaped, fence, , code, label, wrapped, bare, alone] = groups;
    const url = wrapped ?? bare ?? alone;
    if (url === undefined) return keep(escaped ?? fence ?? code);
    links.push(url);
    return keep(label === undefined ? url : readDiscord(label).text);
  };
  let text = source.replaceAll(special, replace);
  const pings = (text.match(call) ?? []).map((each) => each.replace(/^@/, ""));
  text = text.replaceAll(/^(?:> |>>> |#{1,3} |-# )/gm, "");
  for (const mark of marks) text = text.replaceAll(mark, "$1");
  text = text.replaceAll(/\u{F0000}(\d+)\u{F0001}/gu, (_, at: string) => kept[Number(at)] ?? "");
  return { text: text.replaceAll(/[\u200B\u2060]/g, ""), links, pings };
}
