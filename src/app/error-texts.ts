import { features as all } from "../features/index.ts";
import type { Feature } from "../kernel/feature.ts";
import type { Language } from "../platform/language.ts";
import { lazy } from "../platform/lazy.ts";
import { translator, type Catalogue, type Translate } from "../platform/sentences.ts";

/** Translates the sentences of errors, which the program writes in English. */
export async function errorsIn(
  language: Language,
  features?: readonly Feature[],
): Promise<Translate> {
  if (language === "en") return (sentence) => sentence;
  const { default: help } = await import("../interfaces/cli/help-ko.json", {
    with: { type: "json" },
  });
  return translator([...(await errorCatalogues(features)), help]); // a missing input is named by its summary
}

/** The same for a program that runs on: the Korean is read once, when somebody needs it. */
export function errorTexts(): typeof errorsIn {
  const korean = lazy(() => errorsIn("ko"));
  return async (language) => (language === "en" ? errorsIn("en") : korean());
}

/** The Korean of all errors. */
export async function errorCatalogues(
  features: readonly Feature[] = all,
): Promise<readonly Catalogue[]> {
  const texts = await Promise.all([
    import("../platform/errors-ko.ts"),
    import("../kernel/errors-ko.ts"),
    import("../time/errors-ko.ts"),
    import("../interfaces/cli/errors-ko.ts"),
    import("../interfaces/http/errors-ko.ts"),
    import("./errors-ko.ts"),
    ...features.flatMap(({ errors }) => errors?.() ?? []),
  ]);
  return texts.map(({ ko }) => ko);
}
