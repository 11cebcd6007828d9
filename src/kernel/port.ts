import { lazy } from "../platform/lazy.ts";

declare const value: unique symbol;

/**
 * A value that a feature needs from the settings or from a feature above it. The feature that needs it declares it,
 * as `feature.name`.
 */
export interface Port<T = unknown> {
  readonly name: string;
  /** The value when nothing provides it. */
  readonly fallback?: { readonly value: T };
  readonly [value]?: T;
}

/** A port that several features add to, in their order. */
export interface Registry<T = unknown> extends Port<readonly T[]> {
  readonly fallback: { readonly value: readonly T[] };
}

/** The provided values, by port. */
export interface Ports {
  use<T>(port: Port<T>): T;
}

/** The value of a port, read at each use because settings change. */
export interface Provision {
  readonly port: Port;
  /** One value of a registry. */
  readonly isAdded?: true;
  read(): unknown;
}

export function port<T>(name: string, ...otherwise: [] | [T]): Port<T> {
  return otherwise.length === 0 ? { name } : { name, fallback: { value: otherwise[0] } };
}

export function registry<T>(name: string): Registry<T> {
  return { name, fallback: { value: [] } };
}

export function provide<T>(to: Port<T>, read: () => T): Provision {
  return { port: to, read };
}

/** The value is created at the first use and kept. */
export function provideOnce<T>(to: Port<T>, make: () => T): Provision {
  return provide(to, lazy(make));
}

/** Adds a value to a registry, created at the first use; undefined adds nothing. */
export function add<T>(to: Registry<T>, make: () => T | undefined): Provision {
  return { port: to, isAdded: true, read: lazy(make) };
}

/** The same ports, some of them replaced. */
export function overridePorts(below: Ports, ...provisions: readonly Provision[]): Ports {
  const above = new Map(provisions.map((each) => [each.port.name, each]));
  return {
    use<T>(wanted: Port<T>): T {
      const found = above.get(wanted.name);
      return found === undefined ? below.use(wanted) : (found.read() as T);
    },
  };
}

/** Collects provisions: one for each port, any number for a registry. */
export function portsFrom(provisions: readonly Provision[]): Ports {
  const added = Map.groupBy(
    provisions.filter(({ isAdded }) => isAdded),
    (each) => each.port.name,
  );
  const provided = new Map<string, () => unknown>(
    Array.from(added, ([name, all]) => [
      name,
      () => all.map((each) => each.read()).filter((each) => each !== undefined),
    ]),
  );
  for (const { port: to, isAdded, read } of provisions) {
    if (isAdded) continue;
    if (provided.has(to.name)) throw new Error(`Two parts provide the port "${to.name}".`);
    provided.set(to.name, read);
  }
  return {
    use<T>({ name, fallback: otherwise }: Port<T>): T {
      const found = provided.get(name);
      if (found !== undefined) return found() as T; // `provide` ties it to the port's type
      if (otherwise !== undefined) return otherwise.value;
      throw new Error(`Nobody provides the port "${name}".`);
    },
  };
}
