/** The help about workspaces, by its English text. */
export const koreanAlways: readonly (readonly [en: string, ko: string])[] = [
  [
    "Keep a machine and its files, in the state you ask for.",
    "기계와 파일을 바라는 상태로 유지합니다.",
  ],
  [
    'what its machine is made from, such as "node:24"; as it is set, when absent',
    '기계를 만들 이미지, "node:24" 처럼. 없으면 설정된 것',
  ],
  ["what it is for", "무엇에 쓰는지"],
  ["a note of yours", "메모"],
  [
    "what it should be: RUNNING, STANDBY (asleep) or PENDING (archived)",
    "바라는 상태: RUNNING, STANDBY(잠듦), PENDING(보관)",
  ],
  [
    'unused for so long its machine stops, such as "10m"; its files stay',
    '이만큼 쓰지 않으면 기계를 멈춤, "10m" 처럼. 파일은 남음',
  ],
  [
    'unused for so long its files go into an archive, such as "3d"',
    '이만큼 쓰지 않으면 파일을 보관함, "3d" 처럼',
  ],
  [
    'so long before a schedule runs in it, it is brought up, such as "2m"',
    '예약이 실행되기 이만큼 전에 켬, "2m" 처럼',
  ],
  ["how many megabytes its machine may use", "기계가 쓸 수 있는 메모리(메가바이트)"],
  ["how many CPUs its machine may use, such as 0.5", "기계가 쓸 수 있는 CPU 수, 0.5 처럼"],
  ["Show the workspaces that are kept.", "유지하는 작업 공간을 보입니다."],
  ["A workspace: look at it, change it, delete it.", "작업 공간 하나: 보기, 바꾸기, 지우기."],
  ["Show one workspace, whole.", "작업 공간 하나를 자세히 보입니다."],
  ["which workspace, by its id or name", "어느 작업 공간인지, id나 이름으로"],
  [
    "Change what a workspace is called, what it should be, or when it sleeps.",
    "작업 공간의 이름, 바라는 상태, 잠드는 때를 바꿉니다.",
  ],
  ["what to call it from now on", "앞으로 부를 이름"],
  [
    "Say that a workspace is used, so that it does not sleep yet.",
    "작업 공간을 쓰고 있다고 알려 아직 잠들지 않게 합니다.",
  ],
  [
    "Let a workspace rest: its files go into an archive.",
    "작업 공간을 쉬게 합니다. 파일은 보관됩니다.",
  ],
  [
    "Bring a workspace up, from its archive if it is in one.",
    "작업 공간을 켭니다. 보관되어 있으면 되살립니다.",
  ],
  [
    "Try a workspace again that is in ERROR, from where it was before.",
    "ERROR 상태인 작업 공간을 그 전 상태부터 다시 시도합니다.",
  ],
  [
    "Say what would be done with a workspace, and why; nothing is done.",
    "작업 공간에 무엇을 왜 할지 말합니다. 하지는 않습니다.",
  ],
  [
    "Keep a workspace no more: its machine and its files go, and later its archives.",
    "작업 공간을 더 유지하지 않습니다. 기계와 파일이, 나중에는 보관 파일도 없어집니다.",
  ],
  [
    "Remove archives that nobody needs, or show which would go.",
    "필요 없는 보관 파일을 지우거나, 무엇이 지워질지 보입니다.",
  ],
  ["remove them; otherwise they are only shown", "지움. 없으면 보이기만 함"],
  ["remove them even if they are many at once", "한꺼번에 많더라도 지움"],
  [
    "the workspace it runs in, by its name: it is brought up before",
    "실행할 작업 공간, 이름으로. 먼저 켜짐",
  ],
];
