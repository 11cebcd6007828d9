import { id, now } from "./views.ts";

const url = "https://example.org/changes";
const subscription = {
  id,
  url,
  kinds: ["event" as const, "task" as const],
  states: ["completed", "failed"],
  state: "active" as const,
  seq: 0,
  reason: null,
  created_at: now,
};

export const subscriptionExamples = {
  subscribe: {
    input: { url, kinds: "event,task", states: "completed,failed" },
    output: {
      ...subscription,
      secret: "whsec_ED57fyzdkdPoTfPOTuG11f1YaZ1KGyPa",
      fresh: true,
    },
  },
  listSubscriptions: { input: {}, output: { subscriptions: [subscription], next: null } },
  deleteSubscription: { input: { id }, output: { id, deleted: true } },
  resumeSubscription: { input: { id }, output: subscription },
  replaySubscription: {
    input: { id, from: 42 },
    output: { ...subscription, seq: 40, from: 42 },
  },
};
