import type { Language } from "../../platform/language.ts";
import { harmless } from "../../platform/text.ts";
import { installationChecks, terminalChecks, type Check } from "./checks.ts";
import { exits, type Command } from "./command.ts";
import type { DoctorFacts, FirstFacts } from "./facts.ts";
import { eventChecks, workspaceChecks } from "./feature-checks.ts";
import { inReadersLanguage } from "./problems.ts";
import { columns, paint } from "./terminal-text.ts";
import { textsOf } from "./texts.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Check this installation, and say how to fix what is wrong.",
  inputs: [],
  hasJson: true,
  async run({ json }, ports) {
    const { language } = await ports.reader();
    const checks = examine(await inReadersLanguage(await ports.facts(), ports), language);
    ports.out(json ? JSON.stringify({ checks }) : render(checks, language, ports.color));
    return checks.some(({ level }) => level === "bad") ? exits.failed : exits.done;
  },
};

/** Every check of an installation, in the order of the report. */
export function examine(facts: DoctorFacts | FirstFacts, language: Language): readonly Check[] {
  const texts = textsOf(language);
  const featureChecks =
    "home" in facts
      ? [...eventChecks(facts.events, texts), ...workspaceChecks(facts.workspaces, texts)]
      : [];
  const terminal = "home" in facts ? terminalChecks(facts, texts) : [];
  return [...installationChecks(facts, language), ...featureChecks, ...terminal].map((each) => ({
    ...each,
    text: harmless(each.text),
  }));
}

const colors = { ok: "green", warn: "yellow", bad: "red" } as const;

function render(checks: readonly Check[], language: Language, color: boolean): string {
  const { levels, summary } = textsOf(language);
  const rows = columns(checks.map(({ level, name, text }) => [levels[level], name, text]));
  const lines = checks.map(({ level }, index) =>
    (rows[index] ?? "").replace(levels[level], (mark) => paint(color, colors[level], mark)),
  );
  const count = (level: Check["level"]): number =>
    checks.filter((each) => each.level === level).length;
  return [...lines, "", summary({ warn: count("warn"), bad: count("bad") })].join("\n");
}
