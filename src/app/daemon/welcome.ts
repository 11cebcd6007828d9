import { makeNotification } from "../../features/notifications/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { inLanguages } from "../../platform/language.ts";
import { localCaller } from "../local-caller.ts";
export const welcomeText = inLanguages({
  en: 'Daybook is running. Try: daybook remind "stand-up" --at "tomorrow 9am"',
  ko: 'Daybook이 실행 중입니다. 이렇게 시작하세요: daybook remind "회의" --at "내일 오전 9시"',
});

const welcomeMs = 5_000;

/** The first message of a new book. */
export async function welcome({ ledger, readProfile, now }: Installation): Promise<void> {
  const { language } = await readProfile(localCaller.owner);
  const at = now() + welcomeMs;
  const target = "stdout:daemon";
  const message = welcomeText(language);
  const draft = makeNotification({
    message,
    at,
    atText: "+5s",
    target,
    origin: null,
    type: "notice",
  });
  const key = { name: "welcome", asked: {}, until: Number.MAX_SAFE_INTEGER };
  await ledger.of(localCaller.owner, localCaller.by).append({ ...draft, key });
}
