import type { Catalogue } from "../../platform/sentences.ts";
import { kinds, states } from "./names-ko.ts";

export const ko: Catalogue = {
  ...kinds,
  ...states,
  "{address} is not {what}: write the target like {example}.":
    "형식에 맞지 않습니다({what}): {address}. 대상을 이렇게 쓰세요: {example}.",
  "a Telegram chat": "Telegram 대화방",
  "a Slack channel": "Slack 채널",
  "a Discord channel": "Discord 채널",
  "an e-mail address": "이메일 주소",
  "an ntfy topic": "ntfy 토픽",
  "telegram:-1001234567890, or telegram:-1001234567890:7 for a topic":
    "telegram:-1001234567890, 주제라면 telegram:-1001234567890:7",
  "slack:C0123456789, or slack:C0123456789:1700000000.000100 for a thread":
    "slack:C0123456789, 스레드라면 slack:C0123456789:1700000000.000100",
  "ntfy:my-topic, with up to 64 letters, digits, - and _":
    "ntfy:my-topic (영문자, 숫자, -, _를 64자까지)",
  "Only a daemon has pages to sign in to, and none answers here: start one with daybook start.":
    "로그인할 페이지는 데몬이 제공하는데, 데몬이 응답하지 않습니다. daybook start로 시작하세요.",
  "Too many wrong codes: wait a minute.":
    "틀린 코드를 너무 많이 입력했습니다. 1분 뒤에 다시 하세요.",
  "This code is wrong, used or expired: request another, which daybook person invite creates.":
    "코드가 틀렸거나 이미 썼거나 만료되었습니다. daybook person invite로 새 코드를 받으세요.",
  "Another request wrote the settings at the same time: try again.":
    "다른 요청이 동시에 설정을 바꾸었습니다. 다시 시도하세요.",
  "The book of {owner} is the system's own: choose another.":
    "{owner}의 장부는 시스템이 쓰는 장부입니다. 다른 장부를 고르세요.",
  "The expiry time {at} has passed already: choose a later one.":
    "만료 시각이 이미 지났습니다: {at}. 더 늦은 시각을 쓰세요.",
  "{sender} is not a sender: write it as channel:sender.":
    "보낸 사람을 읽을 수 없습니다: {sender}. 채널:보낸사람처럼 쓰세요.",
  '{text} is not a time of day: write it like "22:00".':
    '하루 중의 시각이 아닙니다: {text}. "22:00"처럼 쓰세요.',
  "Quiet hours from {from} to {to} never end: choose another end.":
    "{from}부터 {to}까지인 조용한 시간은 끝나지 않습니다. 끝나는 시각을 바꾸세요.",
  '{text} is not a range of hours: write it like "22:00-07:00", or "off".':
    '시간 범위를 읽을 수 없습니다: {text}. "22:00-07:00"이나 "off"로 쓰세요.',
  "Unknown scope {scope}: {advice}": "없는 권한입니다: {scope}. {advice}",
  'did you mean "{name}"?': '혹시 "{name}" 아닌가요?',
  "use one, or wait: a code expires after 15 minutes":
    "있는 코드를 쓰거나 기다리세요. 코드는 15분 뒤에 만료됩니다",
  "open codes": "쓰지 않은 코드",
  "revoke one first; expired tokens count too": "먼저 하나를 폐기하세요. 만료된 토큰도 셉니다",
  "people in chats": "대화방에 연결된 사람",
  "unlink one first": "먼저 한 사람의 연결을 끊으세요",
  "choose from {names}.": "다음에서 고르세요: {names}.",
};
