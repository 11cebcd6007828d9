import type { Texts } from "./en.ts";

export const ko: Texts = { runsNext: ({ name, at }) => `${name} 다음 실행: ${at ?? "없음"}` };
