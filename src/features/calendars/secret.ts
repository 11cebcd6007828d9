import * as z from "zod";
import type { Context } from "../../kernel/operation.ts";
import type { Ports } from "../../kernel/port.ts";
import { allows } from "../../kernel/scope.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { StoredSecret } from "./account.ts";
import { environment, type Sealer, sealer } from "./ports.ts";

/** A secret as text, or the name of the daemon's variable that has it. */
export const secretInput = z.union([z.string().min(1), z.strictObject({ env: z.string().min(1) })]);
export type SecretInput = z.output<typeof secretInput>;

/** A secret that was given, as it may be stored. */
export function storedSecret(
  given: SecretInput,
  context: Pick<Context, "scopes" | "use">,
): StoredSecret {
  if (typeof given === "string") return { sealed: sealerIn(context).seal(given) };
  // The secret goes to an address of the caller's choice: only who may run commands may name any variable.
  if (allows(context.scopes, "run")) return given;
  const sentence =
    'A variable of the daemon may be named only by a token with the scope "run": give the secret as text.';
  throw new DaybookError("refused", sentence, { details: { scope: "run" } });
}

/** The secret itself, for one use. */
export function openSecret(secret: StoredSecret, ports: Ports): string {
  if ("sealed" in secret) return sealerIn(ports).open(secret.sealed);
  const text = ports.use(environment)(secret.env);
  if (text) return text;
  const sentence = `The calendar needs the variable ${secret.env}: set it where Daybook runs.`;
  throw new DaybookError("refused", sentence);
}

/** Throws where nothing can be sealed. */
export function sealerIn(ports: Ports): Sealer {
  const found = ports.use(sealer);
  if (found !== undefined) return found;
  const sentence =
    'There is no key here to seal a secret with: set DAYBOOK_SECRET_KEY, or name a variable of the daemon instead, as {"env": "NAME"}.';
  throw new DaybookError("unsupported", sentence);
}
