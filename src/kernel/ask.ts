import { readProfile, type Profile } from "../features/accounts/profile-reader.ts";
import { allows } from "../features/accounts/token.ts";
import type { WhenDesk } from "../features/events/operations/ports.ts";
import type { Curve } from "../features/nags/curve.ts";
import type { SetDown } from "../features/schedules/operations/declared.ts";
import type { WorkspacesDesk } from "../features/workspaces/operations/ports.ts";
import { DaybookError } from "../platform/errors.ts";
import { checkInput } from "./check-input.ts";
import type { Ledger } from "./ledger.ts";
import type {
  Caller,
  MadeSchedules,
  Operation,
  Reader,
  Reloaded,
  RunnersHere,
  Simulate,
} from "./operation.ts";

/** What every face asks with: the same checks, whoever asks and however. */
export interface Desk {
  readonly ledger: Ledger;
  /** The installation's settings for an owner. */
  defaults(owner: string): Profile;
  /** The channels that are set up, by name. */
  readonly channels: readonly string[];
  /** What this installation runs. */
  readonly runners?: RunnersHere;
  /** The least that lies between two runs of a schedule: 60 s when absent. */
  readonly minGapMs?: number;
  /** The most schedules that an owner may have: 50 when absent. */
  readonly schedulesMax?: number;
  /** Curves that are set here, by name, beside those that are built in. */
  readonly curves?: Readonly<Record<string, Curve>>;
  /** Who handles events here; absent where nobody does. */
  readonly when?: WhenDesk;
  /** Where runs happen that need a place of their own; absent where none are kept. */
  readonly workspaces?: WorkspacesDesk;
  /** Schedules that are set down in the configuration. */
  declared?(): SetDown;
  /** How others reach this installation over HTTP, if they do; a path alone where the server around us knows the rest. */
  readonly baseUrl?: string;
  now(): number;
  randomBytes(count: number): Uint8Array;
  /** Goes through what would happen; absent where that cannot be done. */
  readonly simulate?: Simulate;
  /** Reads the settings again, and makes the schedules as they say; absent where nobody runs by them. */
  reload?(): Promise<Reloaded<MadeSchedules>>;
  /** The same desk under the settings as they are written now, which hold after a reload; throws what is wrong with them. */
  written?(): Desk;
}

export interface Answer<Output = unknown> {
  readonly output: Output;
  readonly reader: Reader;
}

/** Checks scope and input, and runs the operation in the caller's book. */
export async function ask(
  desk: Desk,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<Answer> {
  if (!allows(caller.scopes, operation.scope)) {
    throw new DaybookError(
      "refused",
      `This token may not ask for "${operation.command.name}": it needs the scope "${operation.scope}".`,
      { details: { scope: operation.scope } },
    );
  }
  const checked = checkInput(operation, input);
  const profile = await readProfile(desk.ledger, caller.owner, desk.defaults);
  const output = await operation.run(checked, { ...desk, ...caller, profile });
  return { output, reader: { language: profile.language, zone: profile.zone, now: desk.now() } };
}
