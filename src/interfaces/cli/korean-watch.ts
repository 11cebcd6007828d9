/** The help of watches in Korean, by its English text. */
export const koreanWatch: readonly (readonly [en: string, ko: string])[] = [
  [
    "Wait for a job elsewhere to report, and tell when it does not.",
    "다른 곳에서 도는 일의 보고를 기다리고, 오지 않으면 알립니다.",
  ],
  [
    "Say that something that is watched began or ended.",
    "지켜보는 일이 시작했거나 끝났다고 알립니다.",
  ],
  [
    "Run a program as it is, and report how it went to a watch.",
    "프로그램을 그대로 돌리고, 결과를 보고합니다.",
  ],
  [
    "Make the schedules as the settings say, or show what would change.",
    "설정에 적힌 대로 예약을 맞추거나, 무엇이 바뀔지 보입니다.",
  ],
  [
    "Let everything rest, or one kind, owner or channel.",
    "모두, 또는 한 종류·주인·채널을 멈춥니다.",
  ],
  [
    "Let go on what rests; what came due meanwhile is late.",
    "멈춘 것을 다시 잇습니다. 그동안 기한이 된 것은 늦게 합니다.",
  ],
  ["only what is of this kind", "이 종류만"],
  ["only what is this owner's", "이 주인의 것만"],
  ["only what goes to this channel", "이 채널로 가는 것만"],
  ["why; shown to those who wonder", "이유; 궁금한 이에게 보임"],
  [
    "Show all that would be said and run until a time. Nothing happens.",
    "알리고 실행할 것을 미리 보입니다. 실제로는 아무 일도 없습니다.",
  ],
  ["how many lines at most", "최대 몇 줄"],
  [
    'where it begins, such as "tomorrow", which is its first moment; now when absent',
    '시작, 예: "내일"(그날의 첫 순간); 없으면 지금',
  ],
  [
    'where it ends, such as "+7d", or "friday", which is its last moment; a week after now when absent',
    '끝, 예: "+7d", "금요일"(그날의 마지막 순간); 없으면 일주일 뒤',
  ],
  ["only show what would change", "바뀔 것만 보임"],
  ["what to call it", "부를 이름"],
  [
    'how often it reports, such as "1d"; or say `when`',
    '얼마마다 보고하는지, 예: "1d"; 또는 `when`',
  ],
  ['how late it may be before you are told, such as "1h"', '얼마나 늦으면 알릴지, 예: "1h"'],
  ["it begins; without this, it has ended", "시작함; 없으면 끝난 것"],
  ["its exit status", "종료 상태"],
  ["what it said; the end of it is kept", "출력; 끝부분을 남김"],
  ["the watch it reports to, by its name or id", "보고할 곳, 이름이나 id로"],
  ["the address it reports to instead, as `watch` showed it", "보고할 주소, `watch`가 보여 준 것"],
  ["the program and its words", "프로그램과 그 인자"],
];
