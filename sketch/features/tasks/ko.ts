import type { Texts } from "./en.ts";

export const ko: Texts = { ran: ({ name, state }) => `${name} 실행: ${state}` };
