import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { type } from "../../../test/terminal.ts";

async function script(shell: string): Promise<string> {
  const { exit, out } = await type(["completion", shell]);
  assert.equal(exit, 0);
  return out;
}

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<readonly string[]> {
  const line = `${await script("bash")}
COMP_WORDS=(daybook "$@") COMP_CWORD=$#
_daybook
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", line, "bash", ...words], {
    encoding: "utf8",
  });
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout.split("\n").filter((word) => word !== "");
}

describe("completion in bash", () => {
  const cases: [typed: string[], offers: string[]][] = [
    [["rem"], ["remind"]],
    [["res"], ["resume"]],
    [["wo"], ["worker", "workspace"]],
    [
      ["workspace", "create", "x", "--me"],
      ["--memo", "--memory"],
    ],
    [["workspace", "s"], ["show"]],
    [["workspace", "g"], ["gc"]],
    [
      ["schedule", "daily", "--in"],
      ["--input", "--in"],
    ],
    [["sn"], ["snooze"]],
    [["event", "e"], ["emit"]],
    [
      ["queue", ""],
      ["list", "stats", "show", "move", "edit", "redrive"],
    ],
    [["worker", "result", "x", "1", "--proc"], []],
    [["na"], ["nag"]],
    [
      ["nag", "s"],
      ["show", "snooze"],
    ],
    [["nag", "tea", "--cu"], ["--curve"]],
    [["person", "d"], ["delete"]],
    [["person", "invite", "--p"], ["--principal"]],
    [["he"], ["help"]],
    [["schedule", "s"], ["show"]],
    [["schedule", "--runs"], ["--runs-per-day"]],
    [["schedule", "edit", "x", "--st"], ["--status"]],
    [["schedule", "daily", "--st"], []],
    [["pause", "--a"], ["--all"]],
    [["pause", "--all", "--u"], ["--until"]],
    [["schedule", "daily", "--overlap", "q"], ["queue"]],
    [["help", "tok"], ["token"]],
    [
      ["token", ""],
      ["create", "list", "revoke"],
    ],
    [["token", "c"], ["create"]],
    [["token", "create", "x", "--o"], ["--owner"]],
    [
      ["remind", "hi", "--rel"],
      ["--related-task-id", "--related-question-id"],
    ],
    [["remind", "hi", "--at", ""], []],
    [["remind", "hi", "--priority", "h"], ["high"]],
    [["list", "--al"], ["--all"]],
    [["webhook", "list", "--a"], ["--after"]],
    [["config", "show", "--or"], ["--origin"]],
    [["completion", "z"], ["zsh"]],
    [
      ["mcp", "--tools", ""],
      ["default", "all"],
    ],
    [["banana", "--"], []],
  ];
  for (const [typed, offers] of cases) {
    test(`of "daybook ${typed.join(" ")}" offers ${offers.join(", ") || "files"}`, async () => {
      assert.deepEqual(await offered(...typed), offers);
    });
  }
});

test("completion in zsh reads the same cases as bash", async () => {
  const arms = (text: string): string[] => text.split("\n").filter((line) => /^ {4}\S/.test(line));
  const zsh = await script("zsh");
  assert.match(zsh, /^#compdef daybook\n/);
  assert.deepEqual(arms(zsh), arms(await script("bash")));
  assert.ok(arms(zsh).length > 20);
});

test("completion in fish says what each is, and no text ends its quotes", async () => {
  const fish = await script("fish");
  assert.match(fish, /^complete -c daybook -n __fish_use_subcommand -a remind -d 'Send /m);
  assert.match(fish, /-n '__fish_seen_subcommand_from token; and [^']+' -l owner -r -d 'the owner/);
  assert.match(fish, /node\\'s work/);
  for (const line of fish.split("\n").filter(Boolean)) {
    assert.match(line, /^complete -c daybook (?:[^'\\]|'(?:[^'\\]|\\['\\])*')*$/);
  }
});
