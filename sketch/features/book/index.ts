import { feature, type Feature } from "../../kernel/feature.ts";
import { explainOver } from "./explain.ts";
import { acrossKinds } from "./operations.ts";

/** The last feature: what can be asked of records of every kind. It imports no other feature; it is given them. */
export function bookOf<const Features extends readonly Feature[]>(features: Features) {
  return feature({
    name: "book",
    operations: { explain: explainOver(features), ...acrossKinds(features) },
  });
}
