import { profileSource, type Host } from "../../kernel/host.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { profileDefaults } from "./ports.ts";
import { readProfile } from "./profile.ts";

export function accountsProvide(host: Host): readonly Provision[] {
  return [
    provide(
      profileSource,
      () => (owner, ledger) => readProfile(ledger, owner, host.use(profileDefaults)),
    ),
  ];
}
