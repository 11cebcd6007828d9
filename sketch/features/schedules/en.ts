export const en = {
  runsNext: ({ name, at }: { name: string; at: string | null }) =>
    `${name} runs next at ${at ?? "no time"}.`,
};
export type Texts = typeof en;
