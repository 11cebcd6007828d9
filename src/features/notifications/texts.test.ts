import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

testTexts(
  { en, ko },
  {
    inPlaceOf: ["ID"],
    requestedBefore: [{ state: "pending", when: "W", target: "T" }],
    requestedAndPruned: [],
    changed: [{ when: "W", target: "T" }],
    imported: [{ imported: 1, known: 2, skipped: 3, refused: 4 }],
    nothingListed: [],
    webhookAdded: [{ target: "T", secret: "S", isFresh: false }],
    noWebhooks: [],
    webhookRemoved: [],
    receipt: ["R"],
    mayHaveArrived: [true],
    replaces: [{ id: "ID", state: "cancelled" }],
    targetBecause: ["home"],
    dueAt: [{ when: "W", typed: "X", late: "L" }],
    quiet: ["H"],
    urgent: [],
    atMostOnce: [],
    expires: ["W"],
    collapses: ["K"],
    nobodyListens: ["inbox:mina"],
    waitsForListener: [{ target: "T", command: "C" }],
    waits: {
      attempt: ["B"],
      quietHours: ["U"],
      paused: [{ scope: "S", until: "U", reason: "R" }],
      retry: [{ attempt: "3", reason: "R", when: "W" }],
      lane: ["L"],
      expiry: ["W"],
      budget: ["W"],
      node: [{ span: "S", by: "B" }],
    },
    digest: [{ count: 3 }],
    undeliverable: [{ target: "T", since: "W", reason: "R" }],
    downtime: [{ from: "F", to: "T", count: 3 }],
    marks: { done: [], snoozed: ["W"], paused: [], cancelled: [] },
  },
);
