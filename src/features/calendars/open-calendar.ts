import { DaybookError } from "../../platform/errors.ts";
import type { Account } from "./account.ts";
import { asDaybookError } from "./act.ts";
import type { CalendarConnector, CalendarConnectors } from "./ports.ts";
import type { CalendarService } from "./service.ts";

type Connectors = Readonly<Partial<Record<Account["type"], CalendarConnector>>>;

/** The connector of an account; throws where this installation has none. */
export function connectorOf(
  { type }: Pick<Account, "type">,
  all: CalendarConnectors,
): CalendarConnector {
  const connector = (all as Connectors)[type]; // each connector opens the accounts of its own type
  if (connector !== undefined) return connector;
  const sentence = `Calendars of the kind ${type} cannot be connected here: use another kind.`;
  throw new DaybookError("unsupported", sentence);
}

/** Opens a calendar at its service; the error where it cannot be opened, such as a secret that is missing. */
export function openCalendar(
  { body: { account } }: { readonly body: { readonly account: Account } },
  all: CalendarConnectors,
): { connector: CalendarConnector; service: CalendarService } | { error: DaybookError } {
  try {
    if (account.type === "ics") throw new DaybookError("bug", "A feed is never claimed.");
    const connector = connectorOf(account, all);
    return { connector, service: connector.open(account) };
  } catch (error) {
    return { error: asDaybookError(error) };
  }
}
