export const en = {
  nags: ({ text }: { text: string }) => `Sent until it is done: ${text}`,
  sentSoFar: ({ count }: { count: number }) => `Sent ${count} times so far.`,
};
export type Texts = typeof en;
