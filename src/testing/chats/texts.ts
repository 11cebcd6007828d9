/** What the fake chats say to whoever tries them. */
export const words = {
  en: {
    set: "Set these for the daemon:",
    file: "and this in its config file:",
    type: `Type to speak in Telegram, or begin with a place:
  second: TEXT       another person in Telegram
  group: TEXT        a group in Telegram, with the topics 2 and 3 (group 3: TEXT)
  slack: TEXT        a direct message in Slack
  channel: TEXT      the channel C1 in Slack (channel: @daybook list)
  thread: TEXT       the thread of the latest message in Slack (thread: @daybook list)
  discord: /NAME …   a slash command in Discord (discord: /remind in 1m tea)
  !1                 the first button of the latest message`,
    nothing: "There is no such button.",
    noThread: "There is no message in Slack yet.",
    unheard: "Nobody heard that:",
    taken: (port: number) =>
      `Port ${port} is in use: stop the program that has it, or choose other ports with npm run dev:chats -- --port 9000 (four from there on; 0: any).`,
  },
  ko: {
    set: "데몬에 다음 변수를 설정하세요:",
    file: "설정 파일에는 다음을 넣으세요:",
    type: `입력하면 텔레그램에서 말합니다. 앞에 장소를 쓸 수도 있습니다:
  second: 내용       텔레그램의 다른 사람
  group: 내용        텔레그램 그룹. 토픽 2와 3이 있습니다(group 3: 내용)
  slack: 내용        슬랙 다이렉트 메시지
  channel: 내용      슬랙 채널 C1 (channel: @daybook list)
  thread: 내용       슬랙의 마지막 메시지에 달린 스레드 (thread: @daybook list)
  discord: /이름 …   디스코드 슬래시 명령 (discord: /remind in 1m tea)
  !1                 마지막 메시지의 첫 버튼`,
    nothing: "그런 버튼이 없습니다.",
    noThread: "슬랙에 아직 메시지가 없습니다.",
    unheard: "아무도 듣지 못했습니다:",
    taken: (port: number) =>
      `${port} 포트는 이미 다른 프로그램이 쓰고 있습니다. 그 프로그램을 끄거나, npm run dev:chats -- --port 9000 처럼 다른 포트를 고르세요(그 뒤로 네 개를 씁니다. 0: 아무 포트나).`,
  },
};
