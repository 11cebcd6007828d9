import type { en } from "./en.ts";

const from = { profile: "내 설정", setting: "Daybook의 설정", host: "이 컴퓨터의 설정" };
const unset = { timezone: "", language: "", home: "받은함", quiet: "없음" };
const settings = { timezone: "시간대", language: "언어", home: "기본 대상", quiet: "조용한 시간" };

export const ko: typeof en = {
  setting: ({ name, value, from: source }) =>
    `${settings[name]}: ${value ?? unset[name]} (${from[source]})`,

  tokenCreated: ({ owner, scopes }) =>
    `${owner}의 장부를 쓰는 토큰입니다(권한: ${scopes}). 지금 한 번만 보여 드립니다:`,
  tokenCreatedBefore: ({ owner, scopes }) =>
    `이 키로 이미 만든 토큰입니다: ${owner}의 장부, 권한 ${scopes}. 토큰은 그때 한 번 보여 드렸고 저장하지 않았습니다. 잃어버렸다면 이 토큰을 폐기하고 다른 키로 새로 만드세요.`,
  noTokens: () => "토큰이 없습니다.\n만들려면: daybook token create 이름",
  tokenRevoked: () => "폐기했습니다. 이제 이 토큰을 쓴 요청은 거절됩니다.",

  loginLink: ({ url, minutes }) =>
    `이 주소를 열면 로그인됩니다: ${url}\n${minutes}분 안에 한 번만 쓸 수 있습니다.`,
  linkCode: ({ message, owner, minutes }) =>
    `봇에게 이 메시지를 보내세요. ${minutes}분 안에 가장 먼저 보낸 사람이 ${owner}의 장부를 쓸 수 있습니다:\n${message}`,
  noPeople: () => "대화방에 연결된 사람이 없습니다.\n초대하려면: daybook person invite",
  personUnlinked: () => "연결을 끊었습니다. 이제 이 사람의 요청은 거절됩니다.",
};
