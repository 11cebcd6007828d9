import type { Kind } from "./kind.ts";
import type { Ports, Resolved } from "./port.ts";
import type { Claimed, LedgerRecord, Shape } from "./record.ts";
import type { Consequences, Draft } from "./unit.ts";
import type { Verdict } from "./verdict.ts";

/** How the file store shows the records of a kind. A kind without a layout is shown by its name and state. */
export interface FileLayout<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  readonly folder: string;
  stateFolder(state: S["live"] | S["end"], leased: boolean): string;
  view(record: LedgerRecord<S>): Readonly<Record<string, unknown>>;
}

export function fileLayout<S extends Shape>(layout: FileLayout<S>): FileLayout {
  return layout;
}

/** What other programs may do with the files of one kind. The file store calls it and knows no kind. */
export interface FileWay<S extends Shape = Shape> {
  /** The record that a file in the folder of new ones asks for. */
  drop?(json: { readonly id: string }): Promise<{ draft: Draft; consequences?: Consequences }>;
  /** Who may claim the record by moving its file; undefined: nobody, and the file is put back. */
  worker?(record: LedgerRecord<S>): { readonly name: string; readonly leaseMs: number } | undefined;
  /** Where a result file leaves the record. Null: the lease is over, and there is none. */
  result?(record: Claimed<S>, json: unknown): Promise<Verdict<S>>;
}

/** The ways of a kind, with the ports they need: settings, who may work, run hooks. */
export interface FileWays {
  readonly kind: Kind;
  readonly needs: Ports;
  make(ports: Resolved<Ports>): FileWay;
}

export function fileWays<S extends Shape, P extends Ports>(
  kind: Kind<S>,
  needs: P,
  make: (ports: Resolved<P>) => FileWay<S>,
): FileWays {
  return { kind, needs, make: make as unknown as FileWays["make"] }; // given records of this kind only
}
