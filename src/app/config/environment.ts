/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The set ones of the named variables. */
export function picked(env: Environment, names: readonly string[]): Record<string, string> {
  const pairs = names.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}
