/** The help about schedules and runs, by its English text. */
export const koreanAgain: readonly (readonly [en: string, ko: string])[] = [
  [
    "Run something again and again, and tell what it says.",
    "되풀이해서 실행하고, 그 결과를 알립니다.",
  ],
  ["Show what runs again and again.", "되풀이해서 실행하는 것을 보입니다."],
  ["A schedule: look at it, change it, take it back.", "예약 하나: 보기, 바꾸기, 거두기."],
  ["Show one schedule, whole.", "예약 하나를 자세히 보입니다."],
  [
    "Change when something runs, what runs, or who is told. Runs that began are not touched.",
    "언제, 무엇을 실행하고 어디에 알릴지 바꿉니다. 이미 시작한 실행은 그대로입니다.",
  ],
  [
    "Run something no more. What is running goes on, and all that ran stays in the book.",
    "더 실행하지 않습니다. 실행 중인 것은 끝까지 가고, 기록은 남습니다.",
  ],
  [
    "Let a schedule rest: its times are noted, and do not run.",
    "예약을 쉬게 합니다. 그동안의 시각은 적어 두고 실행하지 않습니다.",
  ],
  [
    "Let a schedule run again, that is paused or was disabled.",
    "쉬거나 중지된 예약을 다시 실행합니다.",
  ],
  [
    "Run what a schedule runs, now, beside its own times.",
    "예약된 것을 정해진 시각과 별도로 지금 실행합니다.",
  ],
  [
    "Make up for times that lie back, one run after another.",
    "지난 시각의 실행을 하나씩 채웁니다.",
  ],
  [
    "Show when something would run, and write nothing.",
    "언제 실행될지만 보이고, 아무것도 적지 않습니다.",
  ],
  [
    "Show what became of each time of a schedule, the newest first.",
    "예약의 실행이 각각 어떻게 되었는지 최근 것부터 보입니다.",
  ],
  ["Read what a run said, whole, part by part.", "실행의 출력을 나누어 끝까지 읽습니다."],
  ["Show one run, whole but for its output.", "실행 하나를 출력만 빼고 자세히 보입니다."],
  ["Stop a run, or let it not begin.", "실행을 멈추거나 시작하지 않게 합니다."],
  ["Run a task once, now or later.", "작업을 지금 또는 나중에 한 번 실행합니다."],
  [
    "Say again what a run said, without running it again.",
    "다시 실행하지 않고, 실행이 알린 것을 다시 알립니다.",
  ],
  [
    'when, in English or Korean, such as "every weekday 9am", "every 2h", "매주 월요일 10시", "0 3 * * *", "FREQ=MONTHLY;BYDAY=-1FR", or a moment for once',
    '언제: "평일 오전 9시", "매주 월요일 10시", "2시간마다", "0 3 * * *", "FREQ=MONTHLY;BYDAY=-1FR" 처럼. 한 번이면 시각 하나',
  ],
  ["what to call it; after what runs, when absent", "부를 이름. 없으면 실행하는 것의 이름"],
  ["what to call it instead", "대신 부를 이름"],
  ["the program and its words; no shell is between", "프로그램과 그 인자. 셸을 거치지 않음"],
  [
    "the folder that the command runs in; the daemon's own when absent",
    "명령을 실행할 폴더. 없으면 데몬의 폴더",
  ],
  ["the task that runs, by its name", "실행할 작업, 이름으로"],
  ["what the task gets, as JSON", "작업에 줄 것, JSON으로"],
  ["the URL that is called instead, signed", "대신 부를 URL. 서명해서 부름"],
  ["the goal that an agent gets, in words", "에이전트에게 줄 목표, 말로"],
  [
    "whether what a run says is told: always, when it begins with [NOTIFY], never",
    "실행의 결과를 알릴지: always 늘, conditional [NOTIFY]로 시작할 때, never 안 함",
  ],
  [
    "what runs of the times that nobody could run: the latest, all or none",
    "실행하지 못한 시각 가운데 무엇을 실행할지: latest 마지막, all 모두, none 없음",
  ],
  [
    "when the run before is still at work: skip this one, queue it, cancel the other, or allow both",
    "앞 실행이 아직 돌 때: skip 건너뜀, queue 기다림, cancel 앞 것을 취소, allow 함께 실행",
  ],
  ["a run that a crash cut off is made again", "도중에 죽은 실행을 다시 함"],
  ['how long a run may take, such as "10m"', '실행이 걸려도 되는 시간, "10m" 처럼'],
  [
    "after how many failures in a row you are told; 0 for never",
    "몇 번 연속 실패하면 알릴지. 0이면 알리지 않음",
  ],
  [
    "after how many failures in a row it is disabled; 0 for never",
    "몇 번 연속 실패하면 중지할지. 0이면 중지하지 않음",
  ],
  ["how often it may run in one day", "하루에 몇 번 실행해도 되는지"],
  ["what its runs may cost in one day", "하루에 들어도 되는 비용"],
  ["how many turns an agent may take in a run", "에이전트가 한 실행에서 쓸 수 있는 턴 수"],
  ["what one run of an agent may cost", "에이전트의 한 실행에 들어도 되는 비용"],
  ["which schedule, by its id or name", "어느 예약인지, id나 이름으로"],
  ["which run, by its id", "어느 실행인지, id로"],
  ["whether it runs, or is paused", "실행할지, 쉴지"],
  ["only what has this in its name", "이름에 이것이 든 것만"],
  ["only what has this sort of cadence", "이런 주기인 것만"],
  ["only what is told so", "이렇게 알리는 것만"],
  [
    "when it goes on by itself, written like the time of a reminder",
    "저절로 다시 시작할 때, 알림의 시각처럼 씀",
  ],
  [
    'from when on, such as "2026-11-01", all of that day, or "2026-11-01 09:00"',
    '언제부터: "2026-11-01"(그날 전부), "2026-11-01 09:00" 처럼',
  ],
  ["until when, written like `from`; now when absent", "언제까지, `from`처럼 씀. 없으면 지금"],
  ["only show what would be done", "무엇을 할지만 보임"],
  ["how many times to show", "몇 번을 보일지"],
  ["from which character on", "몇 번째 글자부터"],
  ["how many characters at most: 200 to 8000", "많아야 몇 글자: 200~8000"],
  ["the answer, or one of the choices", "답, 또는 고를 수 있는 것 하나"],
];
