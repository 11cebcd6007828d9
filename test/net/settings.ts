/** What the secrets of the example name, and the programs that its handlers run. */
export const secrets = {
  ...Object.fromEntries(
    [
      "NTFY_TOKEN",
      "MODEL_KEY",
      "TELEGRAM_TOKEN",
      "SLACK_TOKEN",
      "SLACK_APP_TOKEN",
      "DISCORD_TOKEN",
      "SLACK_SIGNING_SECRET",
      "GITHUB_TOKEN",
      "JIRA_TOKEN",
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "SHOP_SECRET",
      "SHOP_SECRET_BEFORE",
    ].map((name) => [name, "secret"]),
  ),
  TELEGRAM_SECRET: "0123456789abcdef",
  SMTP_URL: "smtp://mail.example.org",
  WORK_SECRET: `whsec_${"a".repeat(32)}`,
  DAYBOOK_ALLOW_COMMANDS: "./jobs/*",
};

/** Every variable that gives a setting. */
export const settingVariables = {
  DAYBOOK_STORE: "memory:",
  DAYBOOK_HOME: "/daybook-home",
  DAYBOOK_TIMEZONE: "Asia/Seoul",
  DAYBOOK_LANGUAGE: "en",
  DAYBOOK_LEASE_SECONDS: "16",
  DAYBOOK_KEEP_DAYS: "91",
  DAYBOOK_HOST: "0.0.0.0",
  DAYBOOK_PORT: "4811",
  DAYBOOK_PUBLIC_URL: "https://book.example.org",
  DAYBOOK_LOG_LEVEL: "debug",
  DAYBOOK_LOG_FORMAT: "pretty",
  DAYBOOK_ALLOW_COMMANDS: "./jobs/*",
  DAYBOOK_MIN_GAP_SECONDS: "61",
  DAYBOOK_WEBHOOK_ALLOW: "intranet:8080",
  DAYBOOK_MACHINES: "local",
  DAYBOOK_ARCHIVES: "dir:kept",
  DEBUG: "router",
};
