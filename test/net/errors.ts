import { typeLines } from "./command-line.ts";

/** What stands in the book before. */
const before = [
  ["remind", "call Bob", "--at", "+1d", "--key", "bob"],
  ["schedule", "every day 9am", "--name", "report", "--", "./report.sh"],
  ["watch", "backup", "--every", "1d"],
  ["page", "put", "rent", "--title", "Rent"],
];

/** The errors that people meet most. Each line ends without a daemon, and without a change of the book. */
const lines: readonly (readonly string[])[] = [
  // Typing errors
  ["rmind", "hi"],
  ["nosuch"],
  ["Lsit"],
  ["help", "banana"],
  ["token"],
  ["token", "lst"],
  ["token", "banana"],
  ["--all", "list"],
  ["list", "all"],
  ["list", "--al"],
  ["list", "-l", "3"],
  ["list", "--banana"],
  ["list", "--all=no"],
  ["list", "--limit", "many"],
  ["list", "--limit", "0"],
  ["list", "--limit", "501"],
  ["list", "--after", "banana"],
  ["remind"],
  ["remind", "hi"],
  ["remind", "hi", "--when", "+1h"],
  ["remind", "hi", "--at"],
  ["remind", "hi", "--at", "--key"],
  ["remind", "hi", "--at", "+1m", "--at=+2m"],
  ["remind", "hi", "--at", "+1m", "--priority", "top"],
  ["remind", "hi", "Bob", "--at", "+1m"],
  ["remind", "", "--at", "+1m"],
  ["start", "--prot", "80"],
  ["mcp", "--tools", "most"],
  ["completion"],
  // Times
  ["remind", "hi", "--at", "sometime"],
  ["remind", "hi", "--at", "tomorow 9am"],
  ["remind", "hi", "--at", "25:00"],
  ["remind", "hi", "--at", "12.25"],
  ["remind", "hi", "--at", "every day 9am"],
  ["remind", "hi", "--at", "25일"],
  ["remind", "hi", "--at", "31 feb"],
  ["remind", "hi", "--at", "+1h", "--timezone", "Mars/Olympus"],
  ["schedule", "preview", "every banana"],
  ["schedule", "preview", "* * * 13 *"],
  ["schedule", "preview", "* * *"],
  ["schedule", "preview", "0 0 31 2 *"],
  ["schedule", "preview", "FREQ=SOMETIMES"],
  ["remind", "hi", "--at", "2020-01-01 09:00"],
  ["schedule", "pause", "report", "--until", "2020-01-01"],
  // Ids and names
  ["show", "nosuch"],
  ["show", "12"],
  ["cancel", "nosuch"],
  ["done", "nosuch"],
  ["explain", "nosuch"],
  ["schedule", "show", "nosuch"],
  ["run", "show", "nosuch"],
  ["nag", "show", "nosuch"],
  ["page", "show", "nosuch"],
  ["question", "show", "nosuch"],
  ["queue", "show", "nosuch"],
  ["workspace", "show", "nosuch"],
  ["token", "revoke", "nosuch"],
  ["webhook", "delete", "nosuch"],
  // Conflicts
  ["remind", "call Ann", "--at", "+1d", "--key", "bob"],
  ["schedule", "every 2h", "--name", "report", "--task", "x"],
  ["schedule", "edit", "report"],
  ["schedule", "run", "backup"],
  ["ping", "report"],
  // What is not set up, or not allowed
  ["remind", "hi", "--at", "+1m", "--target", "tele:1"],
  ["remind", "hi", "--at", "+1m", "--target", "nowhere"],
  ["nag", "hi", "--curve", "mad"],
  ["nag", "hi", "--page", "rent"],
  ["schedule", "every day"],
  ["watch", "nightly"],
  ["workspace", "edit", "nosuch", "--name", "b"],
  ["event", "emit", "Not a type"],
  ["event", "emit", "a.b", "--payload", "{"],
  ["import", "nosuch.json"],
  ["wrap", "--", "true"],
  ["pause", "--all", "--kind", "nag", "--owner", "bob"],
  ["resume", "--all"],
  ["token", "create", "x", "--scopes", "rwite"],
  ["profile", "--quiet", "late"],
  // No daemon
  ["attach"],
  ["login"],
  ["config", "reload"],
];

/** Every line with its error in both languages. */
export async function errorLines(home: string): Promise<string> {
  const env = { DAYBOOK_ALLOW_COMMANDS: "1" };
  const first = await typeLines(
    home,
    before.map((typed) => ({ typed, env })),
  );
  const wrong = first.find(({ exit }) => exit !== 0);
  if (wrong !== undefined) throw new Error(`The book cannot be filled: ${wrong.err}`);
  const both = lines.flatMap((typed) => [
    { typed, env: { ...env, DAYBOOK_LANGUAGE: "en" } },
    { typed, env: { ...env, DAYBOOK_LANGUAGE: "ko" } },
  ]);
  const finished = await typeLines(home, both);
  return finished
    .map(({ typed, exit, out, err }, at) => {
      const command = typed.map((word) => (/^[\w=+.-]+$/.test(word) ? word : `'${word}'`));
      const head = at % 2 === 0 ? [`$ daybook ${command.join(" ")} (exit ${exit})`] : [];
      return [...head, steady(out + err).trimEnd()].join("\n");
    })
    .join("\n")
    .replaceAll(/\n\$/g, "\n\n$");
}

/** What differs from run to run. */
function steady(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
    .replaceAll(/\d+(?= days ago|일 전)/g, "DAYS");
}
