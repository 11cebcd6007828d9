import type { Language } from "../../platform/language.ts";
import type { CommandEntry } from "./command.ts";

/** Examples beside those of the operations: in English where there is none, in Korean where its texts differ. */
const examples: Readonly<Record<string, readonly [en: string | undefined, ko?: string]>> = {
  remind: [undefined, 'remind "주간 회의" --at "내일 오전 9시"'],
  "notification edit": [undefined, 'notification edit 019a8d3e-… --at "내일 오전 10시"'],
  snooze: [undefined, 'snooze 019a8d3e-… "1시간 뒤"'],
  cancel: [undefined, 'cancel 019a8d3e-… --reason "금요일로 옮김"'],
  nag: [
    'nag "pay rent" --at "the 25th" --curve hourly',
    'nag "월세 내기" --at "25일 오전 9시" --curve hourly',
  ],
  "nag snooze": [undefined, 'nag snooze 019a8d3e-… "1시간 뒤"'],
  "page put": [
    'page put trip "Trip to Busan" --body "Book the hotel"',
    'page put trip "부산 여행" --body "숙소 예약하기"',
  ],
  "page show": ["page show trip"],
  "page delete": ["page delete trip"],
  "sync push": ["sync push changes.json"],
  profile: [undefined, "profile --language ko --quiet 22:00-07:00"],
  import: ["import notifications.json"],
  schedule: [
    'schedule "every weekday 9am" -- ./report.sh',
    'schedule "평일 오전 9시" -- ./report.sh',
  ],
  "schedule edit": [
    'schedule edit report.sh "every weekday 8am"',
    'schedule edit report.sh "평일 오전 8시"',
  ],
  "schedule show": ["schedule show report.sh"],
  "schedule delete": ["schedule delete report.sh"],
  "schedule preview": [
    'schedule preview "every 2h" --count 3',
    'schedule preview "2시간마다" --count 3',
  ],
  "schedule pause": [
    'schedule pause report.sh --until "monday 9am"',
    'schedule pause report.sh --until "월요일 오전 9시"',
  ],
  "schedule resume": ["schedule resume report.sh"],
  "schedule run": ["schedule run report.sh"],
  "schedule backfill": ["schedule backfill report.sh --from 2026-11-01 --dry-run"],
  "run list": ["run list report.sh --limit 20"],
  run: ['run invoice.send --at "tomorrow 9am"', 'run invoice.send --at "내일 오전 9시"'],
  "run answer": ["run answer 019a8d3f-… yes"],
  "event emit": ["event emit github.pr.review_requested --payload @review.json"],
  "worker claim": ["worker claim gen-docs"],
  "worker result": ['worker result task-20261116-001 1 success "written"'],
  "queue edit": ["queue edit task-20261116-001 --payload @better.json"],
  attach: ["attach --once"],
  whoami: ["whoami --json"],
  watch: ["watch backup --every 1d --grace 1h"],
  ping: ["ping backup --exit 0"],
  "workspace create": ["workspace create scratch --image node:24 --sleep-after 10m"],
  "workspace show": ["workspace show scratch"],
  "workspace edit": ["workspace edit scratch --archive-after 3d"],
  "workspace delete": ["workspace delete scratch"],
  "workspace touch": ["workspace touch scratch"],
  "workspace archive": ["workspace archive scratch"],
  "workspace restore": ["workspace restore scratch"],
  "workspace recover": ["workspace recover scratch"],
  "workspace plan": ["workspace plan scratch"],
  "schedule apply": ["schedule apply --dry-run"],
  on: ["on github.pr.review_requested -- ./review.sh"],
  wrap: ["wrap --watch backup -- ./backup.sh"],
  start: ["start --port 4810"],
  status: ["status"],
  doctor: ["doctor"],
  "config check": ["config check"],
  "config show": ["config show --origin"],
  "config schema": ["config schema > daybook.schema.json"],
  "config init": ["config init"],
  mcp: ["mcp --tools all"],
  login: ["login"],
  completion: ["completion bash > ~/.local/share/bash-completion/completions/daybook"],
};

export function exampleOf(
  command: CommandEntry | undefined,
  language: Language,
): string | undefined {
  const name = command?.name ?? "";
  const [own, ko] = Object.hasOwn(examples, name) ? (examples[name] ?? []) : [];
  const typed = (language === "ko" ? ko : undefined) ?? own ?? command?.example;
  return typed === undefined ? undefined : `daybook ${typed}`;
}
