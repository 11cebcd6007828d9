export type Language = "en" | "ko";
