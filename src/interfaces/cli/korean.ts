import { koreanAgain } from "./korean-again.ts";
import { koreanAlways } from "./korean-always.ts";
import { koreanChat } from "./korean-chat.ts";
import { koreanNags } from "./korean-nags.ts";
import { koreanWatch } from "./korean-watch.ts";
import { koreanWhen } from "./korean-when.ts";

/** By the English text, since that is what the operations come with. */
export const korean: ReadonlyMap<string, string> = new Map([
  // the frame
  [
    "Daybook: what must happen, written down once, done on time, with a receipt.",
    "Daybook: 해야 할 일을 한 번 적으면, 제때 이루어지고, 증거가 남습니다.",
  ],
  ["Once", "한 번"],
  ["Until", "끝까지"],
  ["Again", "다시"],
  ["When", "생기면"],
  ["Always", "늘"],
  ["See", "보기"],
  ["Run it", "운영"],
  ["Try: daybook start, and elsewhere:", "먼저 daybook start 를 켜고, 다른 창에서:"],
  ["the answer as data", "답을 데이터(JSON)로"],
  ["about one command", "명령 하나의 설명"],
  ["Example:", "예:"],
  [
    "Exit: 0 done · 1 failed · 2 bad input · 3 not found · 4 conflict · 5 not allowed ·",
    "종료: 0 됨 · 1 실패 · 2 잘못된 입력 · 3 없음 · 4 충돌 · 5 권한 없음 ·",
  ],
  ["6 cannot reach the book or the daemon", "6 장부나 데몬에 닿지 못함"],
  ["- reads it from standard input", "- 이면 표준 입력에서 읽음"],
  ...koreanAgain,
  ...koreanWatch,
  ...koreanChat,
  ...koreanNags,
  ...koreanWhen,
  ...koreanAlways,
  // commands
  ["Say something once, on time.", "제때에 한 번 알립니다."],
  [
    "Change what waits to be said: its message, its time or its priority.",
    "아직 알리지 않은 것의 내용, 시각, 중요도를 바꿉니다.",
  ],
  ["Take back something that has not been said yet.", "아직 알리지 않은 것을 거둡니다."],
  ["Say something now that could not be said.", "알리지 못한 것을 지금 다시 알립니다."],
  [
    "Take over notifications that wait in another ledger.",
    "다른 장부에서 기다리는 알림을 가져옵니다.",
  ],
  ["Show what is in the book.", "장부에 있는 것을 보입니다."],
  ["Show one notification, whole.", "알림 하나를 자세히 보입니다."],
  ["Show what will happen, in order of time.", "앞으로 일어날 일을 시간순으로 보입니다."],
  [
    "Say why something did, did not, or will happen.",
    "왜 되었는지, 안 되었는지, 언제 되는지 설명합니다.",
  ],
  [
    "Show who asks, in whose book, and its settings.",
    "누가 누구의 장부에 묻는지, 그 설정을 보입니다.",
  ],
  [
    "Show or set the owner's time zone, language, home and quiet hours.",
    "주인의 시간대, 언어, 기본 대상, 조용한 시간을 정하거나 보입니다.",
  ],
  ["Let messages be posted to a URL, signed.", "메시지를 서명해서 보낼 URL을 등록합니다."],
  ["Show the URLs that messages can be posted to.", "메시지를 보낼 수 있는 URL을 보입니다."],
  ["Post nothing more to a URL.", "URL로 더 보내지 않습니다."],
  ["Give somebody the right to ask in a book.", "장부에 물을 권한을 줍니다."],
  ["Show who may ask, in which book.", "누가 어느 장부에 물을 수 있는지 보입니다."],
  ["Take the right to ask back.", "물을 권한을 거둡니다."],
  ["The URLs that messages can be posted to.", "메시지를 보낼 수 있는 URL."],
  ["Who may ask, in which book.", "누가 어느 장부에 물을 수 있는지."],
  ["The settings: look at them, check them, begin a file.", "설정: 보기, 검사하기, 파일 시작하기."],
  ["A live inbox in this terminal.", "이 터미널에서 바로 받아 봅니다."],
  ["Do what is in the book, until stopped.", "멈출 때까지 장부에 적힌 일을 합니다."],
  ["Say whether a daemon runs, and what waits.", "데몬이 도는지, 무엇이 기다리는지 말합니다."],
  ["Look for what is wrong, and say what to do.", "잘못된 것을 찾고, 어떻게 할지 말합니다."],
  ["Say whether the settings are right.", "설정이 맞는지 말합니다."],
  ["Show every setting; secrets stay hidden.", "모든 설정을 보입니다. 비밀은 가립니다."],
  ["Show the JSON Schema of the file, for editors.", "편집기에 쓸, 파일의 JSON Schema를 보입니다."],
  ["Write a file with every setting, to begin with.", "모든 설정이 든 시작 파일을 씁니다."],
  ["Let the daemon read its settings again.", "데몬이 설정을 다시 읽게 합니다."],
  [
    "Let an agent ask, over this terminal's input and output (MCP).",
    "에이전트가 이 터미널의 입출력으로 묻게 합니다(MCP).",
  ],
  ["Make your shell complete these commands.", "셸이 이 명령들을 자동 완성하게 합니다."],
  // inputs of operations
  ["what to say", "알릴 말"],
  [
    'when, in English or Korean, such as "+30m", "tomorrow 9am", "내일 오후 3시" or "2026-12-25 09:00"',
    '언제: "내일 오후 3시", "30분 뒤", "+30m", "2026-12-25 09:00" 처럼',
  ],
  [
    'the time zone that times are read in, such as "Asia/Seoul"',
    '시각을 읽는 시간대, "Asia/Seoul" 처럼',
  ],
  [
    "where, as channel:address; when absent, where it is asked, or the owner's home",
    "어디로: 채널:주소. 없으면 요청한 곳이나 주인의 기본 대상",
  ],
  ["what sort it is; reminder when absent", "종류. 없으면 reminder"],
  [
    "how urgent: low, normal or high (medium is normal)",
    "얼마나 급한지: low, normal, high (medium은 normal과 같음)",
  ],
  ["the task it is about", "관련된 작업"],
  ["the question it is about", "관련된 질문"],
  ["why it was asked; at most 20000 characters", "왜 물었는지. 20000자까지"],
  ["when it is too late to say it, written like `at`", "이때가 지나면 알리지 않음. `at`처럼 씀"],
  ["rather never than twice", "두 번 가느니 안 가는 것이 나음"],
  [
    "it takes the place of one with this key that still waits for the same target",
    "같은 대상으로 갈, 이 키를 가진 대기 중인 것을 대신함",
  ],
  ["asking again with this key does not ask twice", "이 키로 다시 물어도 두 번 적히지 않음"],
  [
    "rows with id, message and scheduled_at, at most 1000, as JSON",
    "id, message, scheduled_at 이 있는 줄들, 많아야 1000개, JSON으로",
  ],
  ["which one, by its id", "어느 것인지, id로"],
  ["which one, by its id; a schedule also by its name", "어느 것인지, id로; 예약은 이름으로도"],
  [
    "from which character on its message and context are shown",
    "내용과 배경을 몇 번째 글자부터 보일지",
  ],
  ["how many characters of each are shown at most", "각각 많아야 몇 글자를 보일지"],
  ["what to say instead", "대신 알릴 말"],
  ["only if it is still in this revision", "아직 이 판일 때만"],
  ["why; kept with it", "까닭. 함께 남음"],
  ["also what has ended", "끝난 것도"],
  ["only what is in this state", "이 상태인 것만"],
  ["only what is about this task", "이 작업에 관한 것만"],
  ["how many at most", "많아야 몇 개"],
  ["`next` of the page before", "앞 쪽의 `next`"],
  [
    'how far to look, such as "24h", "7d" or "friday"',
    '얼마나 멀리 볼지, "24h", "7d", "금요일" 처럼',
  ],
  [
    'the owner\'s time zone, such as "Asia/Seoul"; "default" for the installation\'s',
    '주인의 시간대, "Asia/Seoul" 처럼. "default"면 설치된 값',
  ],
  [
    'what answers are written in; "default" for the installation\'s',
    '답하는 언어. "default"면 설치된 값',
  ],
  [
    'where things go that are asked for outside a chat; "off" for the inbox, "default" for the installation\'s',
    '대화 밖에서 요청한 것이 갈 대상. "off"면 받은함, "default"면 설치된 값',
  ],
  [
    'when only what is urgent is said, such as "22:00-07:00"; "off" for never, "default" for the installation\'s',
    '급한 것만 알리는 시간, "22:00-07:00" 처럼. "off"면 없음, "default"면 설치된 값',
  ],
  ["a whole https URL", "온전한 https URL"],
  ["what to call it", "부를 이름"],
  ["whose book; yours when absent", "누구의 장부. 없으면 내 것"],
  [
    "who acts with it, as the history says; its name when absent",
    "기록에 남을, 이것으로 하는 이. 없으면 그 이름",
  ],
  [
    "what it may do, of read, write, target, cron, admin, with commas between",
    "할 수 있는 것: read, write, target, cron, admin 을 쉼표로",
  ],
  ["when it ends, written like the time of a reminder", "끝나는 때, 알림의 시각처럼 씀"],
  // inputs of the others
  ["leave when all that waits was shown", "기다리던 것을 다 보이면 나감"],
  [
    "hear what is for this session alone; DAYBOOK_SESSION unless told",
    "이 세션으로 오는 것만 들음. 없으면 DAYBOOK_SESSION",
  ],
  ["the file with the settings", "설정이 든 파일"],
  ["show it, and write nothing", "쓰지 않고 보이기만 함"],
  ["where each comes from", "각각 어디서 왔는지"],
  ["the folder for everything Daybook keeps", "Daybook이 두는 모든 것의 폴더"],
  [
    "the book: sqlite:PATH, file:FOLDER, postgres://… or memory:",
    "장부: sqlite:경로, file:폴더, postgres://…, memory:",
  ],
  ["the address it listens on", "듣는 주소"],
  ["the port it listens on", "듣는 포트"],
  ["how others reach it", "밖에서 닿는 주소"],
  ["how times are shown, such as Asia/Seoul", "시각을 보이는 시간대, Asia/Seoul 처럼"],
  ["what is said in", "말하는 언어"],
  [
    "after how long a crashed node's work is taken over: 1 to 21600",
    "죽은 노드의 일을 몇 초 뒤에 넘겨받을지: 1~21600",
  ],
  ["the lowest level that is written", "적을 가장 낮은 수준"],
  ["which tools it is offered", "내줄 도구"],
  ["which shell", "어느 셸"],
]);
