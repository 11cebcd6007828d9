import { nagController } from "../../features/nags/controller.ts";
import type { Curve } from "../../features/nags/curve.ts";
import { makeNag } from "../../features/nags/kind.ts";
import { makePage } from "../../features/nags/page.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { group, type Service } from "../../platform/service.ts";
import { startedAt, type AtMoment } from "./node.ts";
import { playing } from "./playing.ts";

const minuteMs = 60_000;
const hour = { count: 1, unit: "hours" } as const;
const hourly: Curve = { base: hour, factor: 1, cap: hour };

/** How often each is said before it rests. */
export const timesOf: Readonly<Record<string, number>> = { "pay the rent": 2, "a page": 2 };

/** One about a text and one about a page, so that no two are said at once; each rests after two. */
export async function fillNags(ledger: Ledger): Promise<void> {
  const book = ledger.of("bob", "bob");
  const ask = async (name: string, about: { text: string } | { page: string }, at: number) => {
    const curve = { ...hourly, countMax: timesOf[name] ?? NaN };
    const asked = { about, curve, curveName: "test", at, atText: "then" };
    const target = "file:me";
    const draft = makeNag({ ...asked, target, origin: target }, { owner: "bob", quiet: null });
    await book.append({ ...draft, id: name });
  };
  await ask("pay the rent", { text: "pay the rent" }, startedAt + 10 * minuteMs);
  await book.append(makePage("bob", { pageId: "p", title: "a page", body: "" }));
  await ask("a page", { page: "p" }, startedAt + 40 * minuteMs);
}

/** A node that says them, one after another. */
export function nagsNode(ledger: Ledger, notes: string, at: AtMoment): Service {
  const { parts, says, run } = playing(ledger, notes, at);
  return group([run(nagController(parts), "nag"), run(says, "notification")]);
}
