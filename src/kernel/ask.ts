import { DaybookError } from "../platform/errors.ts";
import { checkInput } from "./check-input.ts";
import type { Ledger } from "./ledger.ts";
import type { Caller, Operation, Reader } from "./operation.ts";
import type { Ports } from "./port.ts";
import type { Profile } from "./profile.ts";
import { allows } from "./scope.ts";

/** What operations run on, whoever asks and by which interface. */
export interface Installation extends Ports {
  readonly ledger: Ledger;
  /** An owner's own settings over the installation's; read in another ledger inside a caller's transaction. */
  readProfile(owner: string, ledger?: Ledger): Promise<Profile>;
  /** How others reach this installation over HTTP, if they do; a path alone where the server around us knows the rest. */
  readonly baseUrl?: string;
  now(): number;
  randomBytes(count: number): Uint8Array;
}

export interface Answer<Output = unknown> {
  readonly output: Output;
  readonly reader: Reader;
}

/** Checks scope and input, and runs the operation in the caller's book. */
export async function ask(
  installation: Installation,
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
  const profile = await installation.readProfile(caller.owner);
  const output = await operation.run(checked, { ...installation, ...caller, profile });
  const { language, zone } = profile;
  return { output, reader: { language, zone, now: installation.now() } };
}
