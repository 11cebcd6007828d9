declare const value: unique symbol;

/**
 * Something a feature needs from the settings or from a feature above it. The feature that needs it declares it,
 * named `feature.what`.
 */
export interface Port<T = unknown> {
  readonly name: string;
  /** The value when it is not provided. */
  readonly otherwise?: { readonly value: T };
  readonly [value]?: T;
}

/** The provided values, by port. */
export interface Ports {
  use<T>(port: Port<T>): T;
}

/** The value of a port, read at each use because settings change. */
export interface Provision {
  readonly port: Port;
  read(): unknown;
}

export function port<T>(name: string, ...otherwise: [] | [T]): Port<T> {
  return otherwise.length === 0 ? { name } : { name, otherwise: { value: otherwise[0] } };
}

export function provide<T>(to: Port<T>, read: () => T): Provision {
  return { port: to, read };
}

/** The same ports, with some of them replaced. */
export function portsOver(below: Ports, ...provisions: readonly Provision[]): Ports {
  const above = new Map(provisions.map((each) => [each.port.name, each]));
  return {
    use<T>(wanted: Port<T>): T {
      const found = above.get(wanted.name);
      return found === undefined ? below.use(wanted) : (found.read() as T);
    },
  };
}

/** A later provision of a port replaces an earlier one. */
export function portsFrom(provisions: readonly Provision[]): Ports {
  const provided = new Map(provisions.map((each) => [each.port.name, each]));
  return {
    use<T>({ name, otherwise }: Port<T>): T {
      const found = provided.get(name);
      if (found !== undefined) return found.read() as T; // `provide` ties it to the port's type
      if (otherwise !== undefined) return otherwise.value;
      throw new Error(`Nobody provides the port "${name}".`);
    },
  };
}
