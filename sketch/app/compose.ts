import * as z from "zod";
import type { Controller } from "../kernel/controller.ts";
import type { Feature } from "../kernel/feature.ts";
import type { FileWay } from "../kernel/files.ts";
import { kindsOf, type Kinds } from "../kernel/kind.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { clockPort, ledgerPort } from "../kernel/node.ts";
import type { Operation } from "../kernel/operation.ts";
import { provide, type Provision } from "../kernel/port.ts";
import { ledgerOver, type Store } from "../kernel/verbs.ts";
import { DaybookError } from "../platform/errors.ts";
import { resolver, type Offered } from "./ports.ts";

export interface NodeOptions {
  store(kinds: Kinds): Store;
  now(): number;
  readonly adapters: readonly Provision[];
  /** `daybook.yaml`, by section. */
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface Node {
  readonly ledger: Ledger;
  /** Loads the controllers of all features. */
  controllers(): Promise<readonly Controller[]>;
  /** What other programs may do with files, by kind. */
  readonly files: ReadonlyMap<string, FileWay>;
  /** Runs an operation as somebody; the answer is as it is on the wire. */
  ask(operation: Operation, input: unknown, caller: Caller): Promise<unknown>;
}

export interface Caller {
  readonly owner: string;
  readonly by: string;
  readonly origin: string | null;
}

/** Builds a node from a list of features, and knows none of them by name. */
export function compose(features: readonly Feature[], options: NodeOptions): Node {
  const { now, adapters, config = {} } = options;
  checkUnique(
    "feature",
    features.map(({ name }) => name),
  );
  checkUnique(
    "operation",
    features.flatMap(({ operations = {} }) => Object.keys(operations)),
  );
  const kinds = kindsOf(features.flatMap((each) => each.kinds ?? []));
  const ledger = ledgerOver(options.store(kinds), kinds);
  const offered: Offered[] = [
    { by: "kernel", provision: provide(ledgerPort, {}, () => ledger) },
    { by: "kernel", provision: provide(clockPort, {}, () => ({ now })) },
    ...features.flatMap(({ name: by, provides = [], settings }) => [
      ...provides.map((provision) => ({ by, provision })),
      ...(settings === undefined
        ? []
        : [{ by: "settings", provision: settingsFrom(settings, config) }]),
    ]),
    ...adapters.map((provision) => ({ by: "adapters", provision })),
  ];
  const ports = resolver(features, offered);
  const files = features.flatMap((each) => each.fileWays ?? []);
  checkUnique(
    "file protocol of the kind",
    files.map(({ kind }) => kind.name),
  );
  return {
    ledger,
    files: new Map(files.map((ways) => [ways.kind.name, ways.make(ports.resolve(ways.needs))])),
    async controllers() {
      const loaded = await Promise.all(features.map(async (each) => each.controllers?.()));
      return loaded.flatMap((module) => {
        if (module === undefined) return [];
        const { needs, make } = module.controllers;
        return make(ports.resolve(needs));
      });
    },
    async ask(operation, input, { owner, by, origin }) {
      const context = { owner, by, origin, book: ledger.of(owner, by), now: now() };
      const decoded = z.decode(operation.input, input as never); // checked by the schema
      const output = await operation.run(decoded, context, ports.resolve(operation.needs));
      return z.encode(operation.output, output);
    },
  };
}

function settingsFrom(
  settings: NonNullable<Feature["settings"]>,
  config: Readonly<Record<string, unknown>>,
): Provision {
  const value = settings.schema.parse(config[settings.section] ?? {});
  return provide(settings, {}, () => () => value);
}

function checkUnique(what: string, names: readonly string[]): void {
  const double = names.find((name, at) => names.indexOf(name) < at);
  if (double === undefined) return;
  throw new DaybookError("bug", `There are two of the ${what} "${double}": keep one.`);
}
