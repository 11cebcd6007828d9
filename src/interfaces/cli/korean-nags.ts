/** The help about what is said until it is done, by its English text. */
export const koreanNags: readonly (readonly [en: string, ko: string])[] = [
  [
    "Say something again and again, ever further apart, until it is done.",
    "끝날 때까지 점점 뜸하게 되풀이해 알립니다.",
  ],
  ["what to say until it is done; or name a page", "끝날 때까지 알릴 말. 또는 페이지를 지정"],
  [
    "the page it is about, by its id: its words are said as they are then",
    "알릴 페이지의 id. 그때의 내용을 알림",
  ],
  [
    'when first: now, unless said; in English or Korean, such as "+30m", "the 25th" or "내일 오후 3시"',
    '처음 알릴 때. 없으면 지금. "내일 오후 3시", "25일 오전 9시", "+30m" 처럼',
  ],
  [
    "how far apart: otu (1, 2, 4 … 256 days), minutes, hourly, daily, weekdays, or one of the settings; otu when absent",
    "간격: otu(1, 2, 4 … 256일), minutes, hourly, daily, weekdays, 또는 설정에 적은 것. 없으면 otu",
  ],
  [
    'the time zone it is said in, such as "Asia/Seoul"; the owner\'s when absent',
    '알리는 시간대, "Asia/Seoul" 처럼. 없으면 주인의 것',
  ],
  ["Show what is said until it is done.", "끝날 때까지 알리는 것을 보입니다."],
  ["Show one thing that is said until it is done.", "끝날 때까지 알리는 것 하나를 보입니다."],
  [
    "Say it next at another time, and go on from there.",
    "다음에 알릴 때를 바꾸고, 거기서부터 이어 갑니다.",
  ],
  ["Say that something is done: it is not said any more.", "끝난 일로 표시합니다. 그만 알립니다."],
  ["Let something rest that is said until it is done.", "끝날 때까지 알리는 것을 쉬게 합니다."],
  ["Let something be said again until it is done.", "쉬던 것을 끝날 때까지 다시 알립니다."],
  ["Say something no more, though it is not done.", "끝나지 않았어도 그만 알립니다."],
  [
    "What is said until it is done: look at it, put it off, end it.",
    "끝날 때까지 알리는 것: 보기, 미루기, 끝내기.",
  ],
  [
    "Write or change a page that things can be said of until they are done.",
    "끝날 때까지 알릴 페이지를 쓰거나 바꿉니다.",
  ],
  [
    "Show the pages that things can be said of until they are done.",
    "끝날 때까지 알릴 수 있는 페이지를 보입니다.",
  ],
  ["Show one page, whole.", "페이지 하나를 자세히 보입니다."],
  [
    "Delete a page, and what is said of it until it is done.",
    "페이지와, 그 페이지를 알리는 것을 삭제합니다.",
  ],
  ["which page, by the id that you gave it", "어느 페이지인지, 붙인 id로"],
  ["its title; the old one when absent", "제목. 없으면 그대로"],
  ["its words, plain or as HTML; the old ones when absent", "내용, 글이나 HTML. 없으면 그대로"],
  [
    "A page that things are said of: write it, look at it, delete it.",
    "알릴 페이지: 쓰기, 보기, 삭제하기.",
  ],
  [
    "Pages, and what is said of them, as a client keeps them that was away.",
    "떨어져 있던 클라이언트와 페이지, 알림 맞추기.",
  ],
  [
    "Take over what a client changed while it was away: pages, and what is said of them.",
    "떨어져 있던 클라이언트가 바꾼 페이지와 알림을 받습니다.",
  ],
  [
    "Show which pages, and what is said of them, changed since a client looked.",
    "클라이언트가 본 뒤에 바뀐 페이지와 알림을 보입니다.",
  ],
  [
    "page and alarm, each with created, updated (rows) and deleted (ids), as JSON",
    "page와 alarm. 각각 created, updated(행), deleted(id)를 JSON으로",
  ],
  [
    "`timestamp` of the newest pull: what changed since then is not overwritten",
    "마지막 pull의 `timestamp`. 그 뒤에 바뀐 것은 덮어쓰지 않음",
  ],
  ["`timestamp` of the answer before; everything when absent", "앞 답의 `timestamp`. 없으면 모두"],
];
