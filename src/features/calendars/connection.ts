import { createHash } from "node:crypto";
import * as z from "zod";
import type { Caller, Installation } from "../../kernel/operation.ts";
import { scopes } from "../../kernel/scope.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { connectInputs } from "./operations/inputs.ts";
import { sealerIn } from "./secret.ts";

const validMs = 10 * 60_000;
const verifierBytes = 32;
const purpose = "a connection that waits for a person";

const pendingForm = z.strictObject({
  owner: z.string(),
  by: z.string(),
  /** What the caller who began it may do. */
  scopes: z.array(z.enum(scopes)).readonly(),
  until: z.number(),
  /** The proof that the code is redeemed by whoever asked for it. */
  verifier: z.string(),
  redirectUri: z.string(),
  request: z.strictObject({ ...connectInputs, client_id: z.string() }),
});
/**
 * A connection that waits for a person. It is kept by their browser, sealed in the state: nothing is stored before it is
 * allowed, and any node can finish it.
 */
export type Pending = z.output<typeof pendingForm>;

export interface Begun {
  readonly state: string;
  readonly challenge: string;
  readonly until: number;
}

export function beginConnection(
  { owner, by, scopes: granted }: Pick<Caller, "owner" | "by" | "scopes">,
  { request, redirectUri }: Pick<Pending, "request" | "redirectUri">,
  installation: Installation,
): Begun {
  const until = installation.now() + validMs;
  const verifier = Buffer.from(installation.randomBytes(verifierBytes)).toString("base64url");
  const pending: Pending = {
    owner,
    by,
    scopes: granted,
    until,
    verifier,
    redirectUri,
    request,
  };
  return {
    state: sealerIn(installation).seal(JSON.stringify(pending), purpose),
    challenge: createHash("sha256").update(verifier).digest("base64url"),
    until,
  };
}

/** The connection that an address ends, to which a browser was sent back. */
export function pendingAt(address: string, installation: Installation): Pending {
  const state = URL.parse(address)?.searchParams.get("state") ?? "";
  try {
    return pendingForm.parse(JSON.parse(sealerIn(installation).open(state, purpose)));
  } catch (cause) {
    const sentence = `This address ends no connection that was begun here: ${connectAgain}.`;
    throw new DaybookError("refused", sentence, { cause, details: { isState: true } });
  }
}

/** The code in the address; throws why there is none. */
export function codeAt(address: string, { until }: Pending, now: number): string {
  const { searchParams } = new URL(address);
  const error = searchParams.get("error");
  if (error === "access_denied") {
    throw refused(`You did not allow the access at Google: ${connectAgain}, and choose Allow.`);
  }
  if (now >= until) {
    throw refused(`The connection was begun more than 10 minutes ago: ${connectAgain}.`);
  }
  const code = searchParams.get("code");
  if (error === null && code) return code;
  throw refused(
    `Google did not allow the access: ${quote(error ?? "")}. To try it, ${connectAgain}.`,
  );
}

export const connectAgain = "run daybook calendar connect google again";

export function refused(sentence: string, cause?: unknown): DaybookError {
  return new DaybookError("refused", sentence, { cause });
}
