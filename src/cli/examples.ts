import type { Language } from "../rules/times.ts";

/** One for each command: in English, and in Korean where it says something. */
const examples: Readonly<Record<string, readonly [en: string, ko?: string]>> = {
  remind: ['remind "stand-up" --at "tomorrow 9am"', 'remind "주간 회의" --at "내일 오전 9시"'],
  update: ['update 019a8d3e-… --at "tomorrow 10am"', 'update 019a8d3e-… --at "내일 오전 10시"'],
  cancel: [
    'cancel 019a8d3e-… --reason "moved to Friday"',
    'cancel 019a8d3e-… --reason "금요일로 옮김"',
  ],
  retry: ["retry 019a8d3e-…"],
  next: ["next 24h"],
  list: ["list --all --limit 10"],
  show: ["show 019a8d3e-…"],
  explain: ["explain 019a8d3e-…"],
  attach: ["attach --once"],
  whoami: ["whoami --json"],
  profile: [
    "profile --timezone Asia/Seoul --quiet 22:00-07:00",
    "profile --language ko --quiet 22:00-07:00",
  ],
  start: ["start --port 4810"],
  status: ["status"],
  doctor: ["doctor"],
  "config check": ["config check"],
  "config show": ["config show --origin"],
  "config schema": ["config schema > daybook.schema.json"],
  "config init": ["config init > daybook.yaml"],
  "webhook add": ["webhook add https://example.org/hook --name pager"],
  "webhook list": ["webhook list"],
  "webhook remove": ["webhook remove 019a8d3e-…"],
  "token create": ["token create laptop --scopes read,write"],
  "token list": ["token list"],
  "token revoke": ["token revoke 5f1c0a77-…"],
  mcp: ["mcp --tools all"],
  completion: ["completion bash > ~/.local/share/bash-completion/completions/daybook"],
};

export function exampleOf(name: string, language: Language): string | undefined {
  if (!Object.hasOwn(examples, name)) return undefined;
  const [en, ko = en] = examples[name] ?? [];
  return `daybook ${language === "ko" ? ko : en}`;
}
