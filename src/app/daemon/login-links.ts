import type { LoginLinks } from "../../features/accounts/index.ts";
import type { LoginPort } from "../../interfaces/http/login.ts";
import type { Clock } from "../../platform/clock.ts";

/** Login links under the address of the daemon. */
export function loginLinksAt(
  baseUrl: () => string,
  login: LoginPort,
  clock: Pick<Clock, "wall">,
): LoginLinks {
  return (caller) => ({
    url: `${baseUrl().replace(/\/$/, "")}/login?code=${login.issue(caller)}`,
    expiresAt: clock.wall() + login.validMs,
  });
}
