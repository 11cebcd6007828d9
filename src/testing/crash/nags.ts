import { nagController } from "../../features/nags/controller.ts";
import type { Curve } from "../../features/nags/curve.ts";
import { makeNag } from "../../features/nags/kind.ts";
import { makePage } from "../../features/nags/page.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { group, type Service } from "../../platform/service.ts";
import { startedAt, type OnStep } from "./node.ts";
import { nodeParts } from "./node.ts";

const minuteMs = 60_000;
const hour = { count: 1, unit: "hours" } as const;
const hourly: Curve = { base: hour, factor: 1, cap: hour };

/** How often each nag is sent before it pauses. */
export const timesOf: Readonly<Record<string, number>> = { "pay the rent": 2, "a page": 2 };

/** One nag about a text and one about a page, never due at the same time; each pauses after two sends. */
export async function fillNags(ledger: Ledger): Promise<void> {
  const book = ledger.of("bob", "bob");
  const append = async (name: string, about: { text: string } | { page: string }, at: number) => {
    const curve = { ...hourly, countMax: timesOf[name] ?? NaN };
    const request = { about, curve, curveName: "test", at, atText: "then" };
    const target = "file:me";
    const draft = makeNag({ ...request, target, origin: target }, { owner: "bob", quiet: null });
    await book.append({ ...draft, id: name });
  };
  await append("pay the rent", { text: "pay the rent" }, startedAt + 10 * minuteMs);
  await book.append(makePage("bob", { pageId: "p", title: "a page", body: "" }));
  await append("a page", { page: "p" }, startedAt + 40 * minuteMs);
}

/** A node that sends the nags, one after another. */
export function nagNode(ledger: Ledger, logPath: string, onStep: OnStep): Service {
  const { parts, delivery, run } = nodeParts(ledger, logPath, onStep);
  return group([run(nagController(parts), "nag"), run(delivery, "notification")]);
}
