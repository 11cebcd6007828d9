export declare const value: unique symbol;
export declare const each: unique symbol;

/** What a feature needs and somebody else has. Declared by the feature that needs it, named `feature.what`. */
export interface Port<T = unknown, Each = T> {
  readonly name: string;
  /** One provides it, or every feature may add to it, in the order of the features. */
  readonly provided: "once" | "by many";
  /** What it is when nobody provides it; absent: that is an error. */
  readonly otherwise?: { readonly value: T };
  readonly [value]?: T;
  readonly [each]?: Each;
}

export type Ports = Readonly<Record<string, Port>>;
export type Resolved<P extends Ports> = {
  readonly [Name in keyof P]: P[Name] extends Port<infer T, infer _> ? T : never;
};

/** Exactly one feature above, or an adapter, provides it. */
export function port<T>(name: string, otherwise?: T): Port<T> {
  return {
    name,
    provided: "once",
    ...(otherwise !== undefined && { otherwise: { value: otherwise } }),
  };
}

/** Any number of features above add to it: run hooks, run types. */
export function registry<T>(name: string): Port<readonly T[], T> {
  return { name, provided: "by many", otherwise: { value: [] } };
}

/** What a feature or an adapter brings for a port, made once per node from the ports it needs itself. */
export interface Provision {
  readonly port: Port;
  readonly needs: Ports;
  make(ports: Resolved<Ports>): unknown;
}

export function provide<T, Each, P extends Ports>(
  port: Port<T, Each>,
  needs: P,
  make: (ports: Resolved<P>) => Each,
): Provision {
  return { port, needs, make };
}
