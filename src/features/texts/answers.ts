import type { Language } from "../../platform/language.ts";

/** What somebody is told whose answer to a question is not taken. */
export interface AnswerTexts {
  answered(about: { answer: string }): string;
  readonly late: string;
  readonly notYours: string;
  noChoice(choices: string): string;
  /** Nobody is there who could go on. */
  nobody(handler: string): string;
  readonly taken: string;
}

const en: AnswerTexts = {
  answered: ({ answer }) => `It was answered before: "${answer}". That answer stands.`,
  late: "Nobody waits for this answer any more.",
  notYours: "Somebody else was asked: only they can answer.",
  noChoice: (choices) => `That is none of the choices: say ${choices}.`,
  nobody: (handler) => `"${handler}" is not set up here any more, so nobody can go on.`,
  taken: "The answer is passed on, and it goes on.",
};

const ko: AnswerTexts = {
  answered: ({ answer }) => `이미 답이 있습니다: "${answer}". 그 답으로 진행합니다.`,
  late: "이 답을 기다리는 작업이 이제 없습니다.",
  notYours: "다른 사람에게 물은 것입니다. 그 사람만 답할 수 있습니다.",
  noChoice: (choices) => `선택지에 없는 답입니다. 다음 중에서 고르세요: ${choices}`,
  nobody: (handler) => `'${handler}'이(가) 이제 설정되어 있지 않아 이어서 할 수 없습니다.`,
  taken: "답을 전했습니다. 이어서 진행합니다.",
};

export function answersIn(language: Language): AnswerTexts {
  return { en, ko }[language];
}
