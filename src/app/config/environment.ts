/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** These variables and no others, as far as they are set. */
export function picked(env: Environment, names: readonly string[]): Record<string, string> {
  const pairs = names.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}
