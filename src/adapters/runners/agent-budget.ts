import type { Usage } from "../../features/tasks/runner.ts";

/** What a million tokens cost. */
export interface Prices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

export interface AgentLimits {
  readonly turnsMax: number;
  readonly costMax?: number | undefined;
}

interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** What a run has used, and whether it may use more. */
export interface Budget {
  /**
   * What the turn may answer that reads about so much; or why it is not started: it would use more
   * than is left.
   */
  next(inputTokens: number): { outputTokensMax?: number } | { over: string };
  /** A turn is started. */
  start(): void;
  /** It used so much. */
  spend(tokens: Tokens): void;
  usage(): Usage;
}

/** An answer shorter than this is of no use to anybody. */
const outputTokensMin = 16;
/** More than this few models can answer at once, and some refuse to be allowed it. */
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
        return { over: `another turn would cost more than the ${costMax} it may` };
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

/** About how many tokens a text is: rather too many than too few. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
