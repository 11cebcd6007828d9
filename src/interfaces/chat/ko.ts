import { withParticle } from "../../platform/particle.ts";
import type { Texts } from "./en.ts";

export const ko: Texts = {
  help: (lines) =>
    ["**명령**", ...lines, "시각은 `내일 오후 3시`, `30분 뒤`, `tomorrow 9am`처럼 씁니다."].join(
      "\n",
    ),
  hint: "없는 명령입니다. 알림은 /remind 내일 오후 3시 회의, 모든 명령은 /help 로 보세요.",
  unknownCommand: ({ name, meant }) =>
    `/${name} 명령은 없습니다.${meant === undefined ? "" : ` /${meant} 를 찾으셨나요?`} 모든 명령은 /help 로 보세요.`,

  welcome: (owner) =>
    `연결되었습니다. 여기에서 요청한 것은 ${owner}의 장부에 기록됩니다. 명령은 /help 로 보세요.`,
  wrongCode:
    "코드가 틀렸거나, 이미 썼거나, 만료되었습니다. `daybook person invite`로 새로 받으세요.",

  forgotten: (id) => `이미 요청한 것이고, 끝났습니다.\n\`${id}\``,
  noTime: (example) => `처음이나 끝에 시각이 없습니다. 이렇게 쓰세요:\n${example}`,
  whichOne: (command) =>
    `어느 것인지 알 수 없습니다. 그 메시지에 답장하거나 /list 에 나오는 ID를 쓰세요: /${command} 1a2b3c4d`,
  notFound: (typed) => `이 장부에 ${withParticle(typed, "이/가")} 없습니다. ID는 /list 로 보세요.`,
  ambiguous: (typed) =>
    `${withParticle(typed, "으로/로")} 끝나는 ID가 여럿입니다. ID를 더 길게 쓰세요.`,

  nothingListed: "여기로 올 알림이 없습니다.",
  elsewhere: (count) => `다른 곳으로 갈 알림이 ${count}건 더 있습니다: /list all`,
  more: (count) => `… 그 밖에 ${count}건.`,

  tryAgain: "지금은 처리할 수 없습니다. 잠시 뒤에 다시 시도하세요.",
  wentWrong: "문제가 생겨 로그에 남겼습니다. 나중에 다시 시도하세요.",
};
