export const en = {
  ran: ({ name, state }: { name: string; state: string }) => `The run of ${name} is ${state}.`,
};
export type Texts = typeof en;
