import { exampleFor } from "../operations/examples.ts";
import type { Operation } from "../operations/operation.ts";
import { table } from "../operations/table.ts";
import type { Language } from "../rules/times.ts";
import { flagOf } from "./inputs.ts";

/** Beside the operations' own: in English where there is none or another, in Korean where it says something. */
const examples: Readonly<Record<string, readonly [en: string | undefined, ko?: string]>> = {
  remind: [undefined, 'remind "주간 회의" --at "내일 오전 9시"'],
  update: [undefined, 'update 019a8d3e-… --at "내일 오전 10시"'],
  cancel: [undefined, 'cancel 019a8d3e-… --reason "금요일로 옮김"'],
  profile: [undefined, "profile --language ko --quiet 22:00-07:00"],
  import: ["import notifications.json"],
  attach: ["attach --once"],
  whoami: ["whoami --json"],
  start: ["start --port 4810"],
  status: ["status"],
  doctor: ["doctor"],
  "config check": ["config check"],
  "config show": ["config show --origin"],
  "config schema": ["config schema > daybook.schema.json"],
  "config init": ["config init"],
  mcp: ["mcp --tools all"],
  completion: ["completion bash > ~/.local/share/bash-completion/completions/daybook"],
};

export function exampleOf(name: string, language: Language): string | undefined {
  const [own, ko] = Object.hasOwn(examples, name) ? (examples[name] ?? []) : [];
  const typed = (language === "ko" ? ko : undefined) ?? own ?? operationExample(name);
  return typed === undefined ? undefined : `daybook ${typed}`;
}

function operationExample(name: string): string | undefined {
  const operation = table.find(({ command }) => command.name === name);
  const example = operation && exampleFor(operation.name);
  return example && typed(operation, example.input as Readonly<Record<string, unknown>>);
}

/** An input as it is typed. */
function typed({ command }: Operation, input: Readonly<Record<string, unknown>>): string {
  const { name, positionals } = command;
  const flags = Object.keys(input).filter((each) => !positionals.includes(each));
  return [
    name,
    ...positionals.filter((each) => Object.hasOwn(input, each)).map((each) => word(input, each)),
    ...flags.flatMap((each) =>
      input[each] === true ? [flagOf(each)] : [flagOf(each), word(input, each)],
    ),
  ].join(" ");
}

/** Words of one's own are quoted, so that nobody wonders whether they must be; an id is cut. */
function word(input: Readonly<Record<string, unknown>>, name: string): string {
  const text = String(input[name]);
  if (name === "id") return `${text.slice(0, 8)}-…`;
  return name === "message" || /\s/.test(text) ? `"${text}"` : text;
}
