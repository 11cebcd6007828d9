import { flagsOf } from "./arguments.ts";
import { exits, type Command, type CommandEntry } from "./command.ts";
import { firstOf, secondOf } from "./find.ts";
import { helpLanguage } from "./help.ts";
import { flagOf, input, isPositional } from "./inputs.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completion: Command = {
  name: "completion",
  summary: "Print a script that completes these commands in your shell.",
  inputs: [input("SHELL", "the shell: bash, zsh or fish", { values: shells })],
  hasJson: false,
  async run({ input }, { commands, reader, out }) {
    const { translate } = await helpLanguage((await reader()).language);
    const scripts = { bash, zsh, fish: (of: readonly CommandEntry[]) => fish(of, translate) };
    const shell = shells.find((each) => each === input["shell"]) ?? "bash";
    out(scripts[shell](commands));
    return exits.done;
  },
};

function bash(commands: readonly CommandEntry[]): string {
  return `_daybook() {
  local list="" word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$COMP_CWORD \${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${arms(commands)}
  esac
  COMPREPLY=($(compgen -W "$list" -- "$word"))
}
complete -o default -F _daybook daybook`;
}

function zsh(commands: readonly CommandEntry[]): string {
  return `#compdef daybook
_daybook() {
  local list="" before="\${words[CURRENT-1]}"
  case "$((CURRENT-1)) \${words[2]} \${words[3]}" in
${arms(commands)}
  esac
  if [ -n "$list" ]; then compadd -- \${=list}; else _files; fi
}
if [ "$funcstack[1]" = "_daybook" ]; then _daybook "$@"; else compdef _daybook daybook; fi`;
}

/** The arms of a `case` over the number of words and the words; bash and zsh read it alike. */
function arms(commands: readonly CommandEntry[]): string {
  const firsts = firstWords(commands);
  const families = firsts.flatMap((first) => {
    const seconds = secondWords(first, commands);
    const alone = commands.find(({ name }) => name === first);
    const offers = [...seconds, ...(alone === undefined ? [] : offered(alone))];
    return seconds.length > 0 ? [`"2 ${first} "*) list="${offers.join(" ")}" ;;`] : [];
  });
  // Longer names first, since a shorter one matches within them.
  const longest = commands.toSorted((a, b) => wordsIn(b) - wordsIn(a));
  const each = longest.map((command) => {
    const pattern = command.name.includes(" ") ? `*" ${command.name}"` : `*" ${command.name} "*`;
    return `${pattern}) case "$before" in ${inner(command)} esac ;;`;
  });
  return [
    `"1 "*) list="help ${firsts.join(" ")}" ;;`,
    `"2 help "*) list="${firsts.join(" ")}" ;;`,
    ...families,
    ...each,
  ]
    .map((line) => `    ${line}`)
    .join("\n");
}

/** The values of the flag that was typed before; else every flag. */
function inner(command: CommandEntry): string {
  const flags = flagsOf(command).filter((each) => !isPositional(each));
  const values = flags
    .filter((each) => each.values.length > 0)
    .map((each) => `${each.label}) list="${each.values.join(" ")}" ;;`);
  const texts = flags
    .filter(({ kind, values }) => kind !== "switch" && values.length === 0)
    .map(({ label }) => label);
  const free = texts.length > 0 ? [`${texts.join("|")}) ;;`] : [];
  return [...values, ...free, `*) list="${offered(command).join(" ")}" ;;`].join(" ");
}

/** The next words, when no flag waits for its value. */
function offered(command: CommandEntry): readonly string[] {
  const alone = command.inputs.filter(isPositional).flatMap(({ values }) => values);
  const flags = flagsOf(command).filter((each) => !isPositional(each));
  return [...alone, ...flags.map(({ label }) => label)];
}

function wordsIn({ name }: CommandEntry): number {
  return name.split(" ").length;
}

function fish(commands: readonly CommandEntry[], translate: (text: string) => string): string {
  const lines = ["complete -c daybook -f"];
  for (const first of firstWords(commands)) {
    const seconds = secondWords(first, commands);
    const alone = commands.find(({ name }) => name === first);
    const about = alone === undefined ? "" : ` -d ${quoted(translate(alone.summary))}`;
    lines.push(`complete -c daybook -n __fish_use_subcommand -a ${first}${about}`);
    for (const second of seconds) {
      const seen = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${seconds.join(" ")}`;
      lines.push(`complete -c daybook -n '${seen}' -a ${second}`);
    }
  }
  for (const command of commands) {
    const seen = command.name
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ");
    for (const { label, name, kind, summary, values } of flagsOf(command)) {
      const given = values.length > 0 ? ` -a ${quoted(values.join(" "))}` : "";
      const flag = label.startsWith("--") ? ` -l ${flagOf(name).slice(2)}` : "";
      const takes = flag !== "" && kind !== "switch" ? " -r" : "";
      if (flag + given === "") continue;
      lines.push(
        `complete -c daybook -n '${seen}'${flag}${takes}${given} -d ${quoted(translate(summary))}`,
      );
    }
  }
  return lines.join("\n");
}

function firstWords(commands: readonly CommandEntry[]): readonly string[] {
  return [...new Set(commands.map(({ name }) => firstOf(name)))];
}

function secondWords(first: string, commands: readonly CommandEntry[]): readonly string[] {
  return commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(({ name }) => secondOf(name));
}

/** As fish reads a text in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`;
}
