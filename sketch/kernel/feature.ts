import type * as z from "zod";
import type { Controller } from "./controller.ts";
import type { FileLayout, FileWays } from "./files.ts";
import type { Kind } from "./kind.ts";
import type { Context, Operation, Reader } from "./operation.ts";
import type { Ports, Provision, Resolved } from "./port.ts";
import type { LedgerRecord, ReadonlyDeep, Shape } from "./record.ts";
import type { SettingsPort } from "./settings.ts";
import type { Texts } from "./texts.ts";

/** One part of the domain, as one object. `compose` builds a node from a list of them. */
export interface Feature {
  readonly name: string;
  readonly kinds?: readonly Kind[];
  /** By the name of the library's method. */
  readonly operations?: Readonly<Record<string, Operation>>;
  /** What the controllers need: they are loaded when a node starts, and this is checked before. */
  readonly needs?: Ports;
  controllers?(): Promise<{ readonly controllers: Controllers }>;
  readonly provides?: readonly Provision[];
  readonly settings?: SettingsPort;
  /** What `explain` shows of its kinds. */
  readonly explain?: readonly ExplainPart[];
  /** What can be done to its kinds by an id alone. */
  readonly actions?: readonly KindActions[];
  readonly fileLayouts?: readonly FileLayout[];
  readonly fileWays?: readonly FileWays[];
}

/** Keeps the names and types of what a feature has, for the library and for `explain`. */
export function feature<const F extends Feature>(definition: F): F {
  return definition;
}

/** Controllers with the ports they need. */
export interface Controllers {
  readonly needs: Ports;
  make(ports: Resolved<Ports>): readonly Controller[];
}

export function controllersWith<P extends Ports>(
  needs: P,
  make: (ports: Resolved<P>) => readonly Controller[],
): Controllers {
  return { needs, make };
}

/** What `explain` shows of records of one kind, under one key, and as the cause of another. */
export interface ExplainPart<
  Key extends string = string,
  S extends Shape = Shape,
  View extends z.ZodType = z.ZodType,
  Cause extends z.ZodType = z.ZodType,
  T = unknown,
> {
  readonly key: Key;
  readonly kind: Kind<S>;
  readonly schemas: { readonly view: View; readonly cause: Cause };
  readonly texts: Texts<T>;
  build(record: LedgerRecord<S>, context: Context): Promise<ReadonlyDeep<z.output<View>>>;
  cause(record: LedgerRecord<S>): ReadonlyDeep<z.output<Cause>>;
  /** As it is on the wire. */
  lines(view: z.input<View>, reader: Reader, texts: T): readonly string[];
}

export function explainPart<
  const Key extends string,
  S extends Shape,
  View extends z.ZodType,
  Cause extends z.ZodType,
  T,
>(part: ExplainPart<Key, S, View, Cause, T>): ExplainPart<Key, S, View, Cause, T> {
  return part;
}

/** What the feature `book` dispatches to by a record's kind; absent: it cannot be done to this kind. */
export interface KindActions<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  done?(record: LedgerRecord<S>, context: Context): Promise<void>;
  findByName?(name: string, context: Context): Promise<LedgerRecord<S> | undefined>;
  /** Where an answer in a chat to what it said goes. */
  reply?(record: LedgerRecord<S>, text: string, context: Context): Promise<void>;
  upcoming?(record: LedgerRecord<S>): { readonly at: number; readonly text: string } | undefined;
}

export function kindActions<S extends Shape>(actions: KindActions<S>): KindActions {
  return actions;
}
