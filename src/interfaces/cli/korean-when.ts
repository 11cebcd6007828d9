/** The help about what is done when something happens, by its English text. */
export const koreanWhen: readonly (readonly [en: string, ko: string])[] = [
  ["Run a program whenever something happens.", "무슨 일이 일어날 때마다 프로그램을 실행합니다."],
  [
    "the type of event, such as github.pr.review_requested",
    "이벤트의 종류, github.pr.review_requested 처럼",
  ],
  ["what the handler is called; as the type, when absent", "처리기의 이름. 없으면 종류에서 따옴"],
  [
    "where its work speaks: a Slack channel like C0123456789, or a target",
    "그 일이 말할 곳: C0123456789 같은 Slack 채널이나 대상",
  ],
  [
    "Say that something happened, for whoever has something to do for it.",
    "무슨 일이 일어났다고 알립니다. 처리할 곳이 있으면 처리합니다.",
  ],
  [
    'what happened, such as "github.pr.review_requested"',
    '일어난 일의 종류, "github.pr.review_requested" 처럼',
  ],
  [
    "what is known of it, as JSON; @FILE or - for what is in a file or comes in",
    "그 일의 내용, JSON으로. @파일 이면 파일에서, - 이면 표준 입력에서 읽음",
  ],
  ["the repository it is about", "관련된 저장소"],
  ["who tells of it; manual when absent", "알리는 곳. 없으면 manual"],
  [
    "its own name: the same one is told once; made up when absent",
    "고유한 이름. 같은 이름은 한 번만 적힘. 없으면 지어냄",
  ],
  [
    "the time it happened, if not now, written like a reminder's",
    "일어난 때. 없으면 지금. 알림의 시각처럼 씀",
  ],
  ["how many events led to it", "거쳐 온 이벤트의 수"],
  ["Show what happened, the newest first.", "일어난 일을 새것부터 보입니다."],
  ["only events of this type", "이 종류의 이벤트만"],
  ["only what this handler has to do", "이 처리기의 일만"],
  [
    "Show one event, with what is done for it and what was said of that.",
    "이벤트 하나를, 한 일과 전한 말과 함께 보입니다.",
  ],
  ["Let nothing be done for an event, or stop what is.", "이벤트로 하는 일을 그만두게 합니다."],
  [
    "Show everything that runs or ran, the newest first.",
    "실행하는 것과 실행한 것을 새것부터 보입니다.",
  ],
  ["only what is done for this event, by its id or name", "이 이벤트로 하는 일만, id나 이름으로"],
  ["only what somebody works on right now", "지금 작업 중인 것만"],
  [
    "Take a task of a handler that runs elsewhere, the next or one by its id, to work on it.",
    "다른 곳에서 일하는 처리기의 다음 작업이나 id로 고른 작업을 맡습니다.",
  ],
  [
    "whose next task, by its name; or name a task by its id",
    "어느 처리기의 다음 작업인지, 이름으로. 또는 작업을 id로",
  ],
  [
    "which task, by its id; the handler's next when absent",
    "어느 작업인지, id로. 없으면 처리기의 다음 작업",
  ],
  ["who works, for the history", "기록에 남을, 일하는 이"],
  ["how long to wait for one when there is none: at most 20", "없을 때 몇 초 기다릴지: 20까지"],
  ["Say that you still work on a task that you took.", "맡은 작업을 아직 하고 있다고 알립니다."],
  ["the ticket that was given with the task", "작업과 함께 받은 표"],
  ["how far it is, in your own words", "얼마나 했는지, 자유롭게"],
  ["Say how a task ended that you took.", "맡은 작업이 어떻게 끝났는지 알립니다."],
  [
    "how it ended: success, failed, needs_human, skipped or killed",
    "어떻게 끝났는지: success, failed, needs_human, skipped, killed",
  ],
  [
    "what was done, for whoever reads it; needed for success",
    "한 일, 읽을 사람을 위해. success에는 꼭 있어야 함",
  ],
  ["what went wrong, of one that failed or was killed", "실패했거나 중단된 까닭"],
  ["why nothing was done, of one that was skipped", "건너뛴 까닭"],
  ["what a person must say, of one that needs a human", "사람에게 물을 것"],
  ["what may be answered, with commas between", "고를 수 있는 답, 쉼표로"],
  ["what is needed to go on with the answer", "답을 받고 이어서 할 때 필요한 것"],
  ["the channel that is told, instead of the thread", "스레드 대신 알릴 채널"],
  ["where something is proclaimed beside", "따로 널리 알릴 채널"],
  ["what is proclaimed there", "그곳에 널리 알릴 말"],
  ["where its work can be found", "작업물이 있는 곳"],
  ["what it learned, with commas between", "알게 된 것, 쉼표로"],
  ["the task again: refused when it is another", "작업을 다시 한 번. 다르면 거절함"],
  [
    "Work on handlers' tasks from elsewhere: take, keep, end them.",
    "다른 곳에서 처리기의 작업 하기: 맡기, 이어 가기, 끝내기.",
  ],
  [
    "Show what handlers' tasks ask people, the newest first.",
    "작업이 사람에게 묻는 것을 새것부터 보입니다.",
  ],
  [
    "Answer what a handler's task asked, so that another goes on.",
    "작업이 물은 것에 답해 이어서 하게 합니다.",
  ],
  ["Show what a handler's task asked, whole.", "작업이 물은 것 하나를 모두 보입니다."],
  [
    "Wait no longer for the answer to what a handler's task asked.",
    "작업이 물은 것의 답을 더는 기다리지 않습니다.",
  ],
  [
    "Answer what a run, or a handler's task, asks, so that it goes on.",
    "실행이나 작업이 물은 것에 답해 이어서 하게 합니다.",
  ],
  [
    "which run, by its id, or which question, by its id or the last letters of that",
    "어느 실행인지, id로. 또는 어느 질문인지, id나 그 끝 글자로",
  ],
  ["which question, by its id or the last letters of that", "어느 질문인지, id나 그 끝 글자로"],
  ["Show what lies in the queues, the newest first.", "대기열에 있는 것을 새것부터 보입니다."],
  [
    "which queue: events, tasks or messages; all of them when absent",
    "어느 대기열인지: events, tasks, messages. 없으면 모두",
  ],
  ["only what is in this state, or lies in this folder", "이 상태이거나 이 폴더에 있는 것만"],
  [
    "Show one event, task or message as it lies in its queue.",
    "대기열에 있는 이벤트, 작업, 메시지 하나를 보입니다.",
  ],
  ["which event, task or message, by its id", "어느 이벤트, 작업, 메시지인지, id로"],
  [
    "Move an event, task or message to another state, where that means something.",
    "이벤트, 작업, 메시지를 뜻이 있는 다른 상태로 옮깁니다.",
  ],
  ["where to: cancelled, or pending to do it once more", "어디로: cancelled, 다시 하려면 pending"],
  ["Change an event, task or message that waits.", "기다리는 이벤트, 작업, 메시지를 바꿉니다."],
  [
    "another payload, as JSON; @FILE or - for what is in a file or comes in",
    "다른 내용, JSON으로. @파일 이면 파일에서, - 이면 표준 입력에서 읽음",
  ],
  ["what the task gets instead, as JSON", "작업에 대신 줄 것, JSON으로"],
  [
    "Do once more what has ended: a task, what is done for an event, a message.",
    "끝난 작업, 이벤트로 하던 일, 메시지를 다시 합니다.",
  ],
  [
    "Count what lies in the queues, and say how long the oldest waits.",
    "대기열에 있는 것을 세고, 가장 오래된 것이 얼마나 기다렸는지 말합니다.",
  ],
  [
    "What lies in the queues: look, move, change, do it once more.",
    "대기열에 있는 것: 보기, 옮기기, 바꾸기, 다시 하기.",
  ],
  ["Programs that hear of changes in the book.", "장부의 변경을 전해 듣는 프로그램입니다."],
  [
    "Let a program hear of changes in the book: each is posted to its URL, signed.",
    "프로그램에 장부의 변경을 알립니다. 서명해서 URL로 하나씩 보냅니다.",
  ],
  [
    "what it hears of, of event, task, question, notification, schedule, nag, page, with commas between",
    "무엇의 변경을 알릴지, event, task, question, notification, schedule, nag, page 중에서 쉼표로",
  ],
  [
    "only when it comes to one of these states, with commas between; all when absent",
    "이 상태가 될 때만, 쉼표로. 없으면 모든 상태",
  ],
  [
    "Show which programs hear of changes, and how far they were told.",
    "변경을 알리는 프로그램과 어디까지 알렸는지 보입니다.",
  ],
  ["which subscription, by its id", "어느 구독인지, id로"],
  ["Tell a program of no more changes.", "프로그램에 더는 변경을 알리지 않습니다."],
  [
    "Go on telling a program that could not be reached, from where it was told.",
    "닿지 않던 프로그램에 멈춘 곳부터 이어서 알립니다.",
  ],
  [
    "Tell a program again what it was told, from a number on.",
    "알린 변경을 어느 번호부터 다시 알립니다.",
  ],
  ["the number of the first change, its `seq`", "첫 변경의 번호, 그 `seq`"],
];
