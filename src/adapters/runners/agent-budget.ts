import type { Usage } from "../../features/tasks/index.ts";

export interface Prices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

export interface AgentLimits {
  readonly turnsMax: number;
  readonly costMax?: number | undefined;
}

type Tokens = Readonly<Record<"input" | "output", number>>;

/** The usage of a run, and its limits. */
export interface Budget {
  /**
   * The limit of the next turn's answer, given its input; or why the turn would exceed the budget.
   */
  next(inputTokens: number): { outputTokensMax?: number } | { over: string };
  /** Counts a turn. */
  start(): void;
  /** Counts a turn's tokens. */
  spend(tokens: Tokens): void;
  usage(): Usage;
}

/** A shorter answer is of no use. */
const outputTokensMin = 16;
/** Some models refuse a higher limit. */
const outputTokensMost = 4_096;

export function budget({ turnsMax, costMax }: AgentLimits, prices?: Prices): Budget {
  const { inputPerMillion = 0, outputPerMillion = 0 } = prices ?? {};
  const cost = ({ input, output }: Tokens): number =>
    (input * inputPerMillion + output * outputPerMillion) / 1_000_000;
  let turns = 0;
  let used: Tokens = { input: 0, output: 0 };
  return {
    next(inputTokens) {
      if (turns >= turnsMax) return { over: `it is not done after ${turnsMax} turns` };
      if (costMax === undefined) return {};
      const left = costMax - cost({ ...used, input: used.input + inputTokens });
      const canPay =
        outputPerMillion > 0 ? (left * 1_000_000) / outputPerMillion : outputTokensMost;
      if (left < 0 || canPay < outputTokensMin) {
        return { over: `another turn could exceed the cost limit of ${costMax}` };
      }
      return { outputTokensMax: Math.min(Math.floor(canPay), outputTokensMost) };
    },
    start: () => void (turns += 1),
    spend({ input, output }) {
      used = { input: used.input + input, output: used.output + output };
    },
    usage: () => ({ turns, cost: cost(used) }),
  };
}

/** An upper estimate of a text's tokens. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
