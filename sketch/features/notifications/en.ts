export const en = {
  reminds: ({ message, at }: { message: string; at: string }) => `${at}: ${message}`,
  sentTo: ({ target }: { target: string }) => `It goes to ${target}.`,
};
export type Texts = typeof en;
