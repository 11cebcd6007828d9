/** The help about chats and what is done in them, by its English text. */
export const koreanChat: readonly (readonly [en: string, ko: string])[] = [
  [
    "Say something later, or once more if it has been said.",
    "나중에 알립니다. 이미 알린 것이면 한 번 더 알립니다.",
  ],
  [
    "Say that something is done: it is not said any more, nor once more.",
    "끝난 일로 표시합니다. 더 알리지 않습니다.",
  ],
  [
    "Make a code that lets somebody ask from a chat.",
    "대화에서 물을 수 있게 하는 코드를 만듭니다.",
  ],
  [
    "who acts, as the history says; who they are in the chat when absent",
    "기록에 남을, 하는 이. 없으면 대화에서의 그 사람",
  ],
  [
    "Show who may ask from a chat, in which book.",
    "누가 대화에서 어느 장부에 물을 수 있는지 보입니다.",
  ],
  ["Hear nothing more from somebody in a chat.", "대화에 있는 사람의 말을 더 듣지 않습니다."],
];
