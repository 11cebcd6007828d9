import type { Language } from "../../platform/language.ts";
import type { Health } from "../events/route.ts";
import { askingIn, type Asking } from "./asking.ts";

/** What is said of events and their work without anybody having asked. */
export interface WhenNoticeTexts {
  /** Of a question that was asked before, in the same thread. */
  stillWaits(asking: Asking): string;
  /** Nobody is waited for any more. */
  expired(about: { question: string; days: number }): string;
  /** A handler fails again and again. */
  failing(about: { handler: string; count: number; reason: string }): string;
  /** Many runs took too long within an hour. */
  timeouts(about: { count: number }): string;
  /** Events wait for somebody to begin with them; of the oldest, what it is and why it waits. */
  stuck(about: { count: string; type: string; minutes: number; reason: string }): string;
  /** A program that wanted to hear of changes cannot be reached. */
  paused(about: { id: string; url: string; reason: string }): string;
  /** How much a machine has to do has changed. */
  health(about: { host: string; health: Health; reason: string }): string;
}

const en: WhenNoticeTexts = {
  stillWaits: (asking) => `⏳ Still waiting for an answer: ${askingIn("en", asking)}`,
  expired: ({ question, days }) =>
    `⌛ Nobody answered within ${days} days, and nobody waits any more: ${question}`,
  failing: ({ handler, count, reason }) =>
    `⚠️ "${handler}" failed ${count} times in a row${tail(reason)}`,
  timeouts: ({ count }) => `⚠️ ${count} runs took too long within the last hour.`,
  stuck: ({ count, type, minutes, reason }) =>
    `⚠️ Events wait to be handled: ${count}. The oldest, ${type}, waits for ${minutes} minutes${tail(reason)}`,
  paused: ({ id, url, reason }) =>
    `⏸️ ${url} could not be told of changes, so the subscription rests (${reason}). It goes on from there when it is told to: daybook subscription resume ${id}`,
  health: ({ host, health, reason }) =>
    ({
      green: `✅ ${host} is well again: all work is begun.`,
      yellow: `⚠️ ${host} has much to do, and only what is urgent is begun${tail(reason)}`,
      red: `⛔ ${host} has too much to do, and no work is begun${tail(reason)}`,
    })[health],
};

const ko: WhenNoticeTexts = {
  stillWaits: (asking) => `⏳ 아직 답을 기다리고 있습니다: ${askingIn("ko", asking)}`,
  expired: ({ question, days }) =>
    `⌛ ${days}일 동안 답이 없어 더는 기다리지 않습니다: ${question}`,
  failing: ({ handler, count, reason }) =>
    `⚠️ '${handler}'이(가) 연속 ${count}번 실패했습니다${tail(reason)}`,
  timeouts: ({ count }) => `⚠️ 최근 한 시간 동안 ${count}번의 실행이 제한 시간을 넘겼습니다.`,
  stuck: ({ count, type, minutes, reason }) =>
    `⚠️ 처리를 기다리는 이벤트: ${count}. 가장 오래된 ${type}은(는) ${minutes}분째 기다립니다${tail(reason)}`,
  paused: ({ id, url, reason }) =>
    `⏸️ ${url}에 변경을 알릴 수 없어 구독을 멈췄습니다 (${reason}). 다시 시작하면 멈춘 곳부터 이어집니다: daybook subscription resume ${id}`,
  health: ({ host, health, reason }) =>
    ({
      green: `✅ ${host}의 상태가 회복되어 모든 작업을 시작합니다.`,
      yellow: `⚠️ ${host}에 일이 많아 급한 작업만 시작합니다${tail(reason)}`,
      red: `⛔ ${host}에 일이 너무 많아 새 작업을 시작하지 않습니다${tail(reason)}`,
    })[health],
};

export function whenNoticesIn(language: Language): WhenNoticeTexts {
  return { en, ko }[language];
}

function tail(reason: string): string {
  return reason === "" ? "." : `: ${reason}`;
}
