const example = `# The settings of Daybook. Every line is a default or an example: remove the # to set it.
# A flag wins over a variable, and a variable over this file. Relative paths start at this file's folder.
# Check it with: daybook config check
# For help in an editor, run daybook config schema > daybook.schema.json, and keep this line:
# yaml-language-server: $schema=./daybook.schema.json

# Where the book is: sqlite:PATH, file:FOLDER, postgres://…, or memory: for a trial. With a password in it,
# write { env: DATABASE_URL }. Default: book.db in the home.
#store: sqlite:./book.db

# The folder for everything that Daybook keeps. Default: daybook in your data folder.
#home: ~/daybook

# The time zone and language of owners who have not set one. Default: the machine's time zone, and the language of LANG.
#timezone: Asia/Seoul
#language: en

# How long other nodes wait for the work of a node that died, in seconds.
#leaseSeconds: 15

# How many days ended records are kept.
#keepDays: 90

# The HTTP server.
#http:
#  host: 127.0.0.1
#  port: 4810
#  publicUrl: https://book.example.org

# Settings of people. Home is the default target of what they request outside a chat; in quiet hours only
# messages of high priority are sent.
#owners:
#  mina:
#    timezone: Asia/Seoul
#    language: ko
#    home: ntfy:mina-phone
#    quiet: { from: "22:00", to: "07:00" }

# The channels that messages are sent by. A secret is { env: NAME } or { file: PATH }.
#channels:
#  ntfy:
#    server: https://ntfy.sh
#    token: { env: NTFY_TOKEN }
#  webhook:
# Hosts that may be called although they are private or use plain http, like intranet:8080.
#    allow: []
#  desktop:
# Owners whose inbox messages pop up too.
#    inbox: []
# Your own programs, which deliver messages to exec:NAME.
#  exec:
#    lamp:
#      command: [./lamp.sh, blink]
#      env: []
#      timeoutSeconds: 20
# Bots that send messages and take requests from the people listed here, and from those who joined with a code of
# daybook person invite.
#  telegram:
#    token: { env: TELEGRAM_TOKEN }
#    api: https://api.telegram.org
#    mode: polling
#    secret: { env: TELEGRAM_SECRET }
#    senders: [{ id: "123456", owner: me }]
#    maxMessages: 20
#    maxMessageLength: 4096
#  slack:
#    token: { env: SLACK_TOKEN }
#    api: https://slack.com/api
#    appToken: { env: SLACK_APP_TOKEN }
#    signingSecret: { env: SLACK_SIGNING_SECRET }
#    senders: [{ id: U0123456789, owner: me }]
#    maxMessages: 20
# Where results of handlers are sent when no chat requested the work.
#    defaultChannel: C0123456789
#  discord:
#    token: { env: DISCORD_TOKEN }
#    api: https://discord.com/api/v10
#    publicKey: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#    senders: [{ id: "80351110224678912", owner: me }]
#    maxMessages: 20
#  email:
#    from: Daybook <daybook@example.org>
#    url: { env: SMTP_URL }

# What schedules and handlers may run. Programs must be allowed; [all] allows every program.
#runners:
# How many tasks of handlers run at once.
#  max: 3
#  command:
#    allow: []
#    owners: [me]
#    env: [PATH, HOME, LANG, TZ]
#    folder: ./jobs
#    memoryMegabytes: 1024
#  agent:
#    baseUrl: https://models.example.org/v1
#    model: small
#    key: { env: MODEL_KEY }
#    prices: { inputPerMillion: 0.5, outputPerMillion: 2 }
#    turnsPerRun: 20
#    costPerRun: 0.5
#    guard: [./anything-new.sh]

# Limits.
#limits:
#  schedulesPerOwner: 50
#  minGapSeconds: 60
#  undeliverableRuns: 5

# Calendars that show books, such as a CalDAV server of your own. See: daybook help calendar create
#calendars:
#  allow: []
#  pollSeconds: 60
#  google:
#    clientId: 1234-abcd.apps.googleusercontent.com
#    clientSecret: { env: GOOGLE_CLIENT_SECRET }
#    api: http://127.0.0.1:8080

# Declared schedules: created, changed and deleted to match this file. See: daybook schedule apply --dry-run
#schedules:
#  nightly-backup:
#    owner: me
#    name: Nightly backup
#    when: 0 3 * * *
#    timezone: Asia/Seoul
#    run: { command: [./jobs/backup.sh] }
#    target: ntfy:my-topic
#    notify: always
#    misfire: latest
#    overlap: skip
#    rerun: false
#    timeout: 10m
#    notifyAfterFailures: 3
#    disableAfterFailures: 5
# Limits of its runs; the last two apply to agents.
#    budget:
#      runsPerDay: 24
#      costPerDay: 2
#      turnsPerRun: 10
#      costPerRun: 0.5
#    adopt: false
# When it runs can also be written as data of the type cron, interval or rrule.
#  first-monday:
#    cadence: { type: rrule, rule: FREQ=MONTHLY;BYDAY=1MO, start: "2026-01-05 09:00" }
#    run: { agent: Review what is still open }

# What handles events: each type of event has one handler. A command gets the task as JSON on its standard input
# and in DAYBOOK_TASK_FILE. Without run, your own workers claim the tasks. See also: daybook on
#handlers:
#  gen-pr:
#    subscribes: [github.pr.review_requested]
#    run: { command: [./jobs/review.sh, "{{payload.pr_number}}"], cwd: ./work }
#    timeout: 30m
#    retries: 2
#    retry: { first: 10s, factor: 2, max: 10m }
#    rate: 10/m
# Where its results are sent when no chat requested the work, and more targets that results may name.
#    channel: C0123456789
#    channels: [C0987654321]
#    repo: acme/shop
# Its own schedules.
#    schedules:
#      morning:
#        when: weekdays 09:00
#        timezone: Asia/Seoul
#        type: daily-report
#        payload: { days: 1 }
#        repo: acme/shop
#      first-monday:
#        cadence: { type: rrule, rule: FREQ=MONTHLY;BYDAY=1MO, start: "2026-01-05 09:00" }
#        type: monthly-report
#  gen-ticket:
#    subscribes: [jira.ticket.assigned, jira.ticket.updated]
#    run: { agent: "Look at {{payload.ticket_key}} and say what to do", in: reviewer }
#  gen-elsewhere:
#    subscribes: [slack.app_mention]
#    run: { http: "https://work.example.org/tasks", secret: { env: WORK_SECRET } }
#  gen-function:
#    subscribes: [slack.channel.message]
#    run: { task: answer, input: { tone: kind } }

# Sources that are polled for events. The default kind of a source is its name.
#sources:
#  github:
#    kind: github
#    token: { env: GITHUB_TOKEN }
#    api: https://api.github.com
#    every: 1m
#    owner: me
#    repos: [acme/*]
#    types: [github.pr.*, github.issue.assigned]
#    ours: [acme-bot]
#  jira:
#    url: https://acme.atlassian.net
#    email: me@example.org
#    token: { env: JIRA_TOKEN }
#    jql: assignee = currentUser()
#  drop-box:
#    kind: directory
#    folder: ./drop-box
#  slack: {}

# Endpoints that receive events: /hooks/NAME under http.publicUrl. The kind is github, standard (Standard
# Webhooks), cloudevents or token.
#hooks:
#  shop:
#    kind: token
#    secret: { env: SHOP_SECRET }
#    previousSecret: { env: SHOP_SECRET_BEFORE }
#    owner: me
#    repos: [acme/shop]
#    types: [shop.*]
#    ours: [shop-bot]

# The load in percent above which only work of high priority starts (yellow), and above which none does (red).
#health:
#  yellow: { cpu: 60, memory: 60, disk: 85 }
#  red: { cpu: 80, memory: 80, disk: 95 }

# Workspaces: what their machines are (local: processes of this computer; docker: containers of an engine), and where
# their archives are kept (dir:FOLDER or s3://bucket/prefix). See docs/workspaces.md.
#machines: local
#docker:
#  host: unix:///var/run/docker.sock
#  network: bridge
#  pull: false
#  place: build-server
#archives: dir:archives
#s3:
#  endpoint: https://s3.example.org
#  region: us-east-1
#  accessKeyId: { env: AWS_ACCESS_KEY_ID }
#  secretAccessKey: { env: AWS_SECRET_ACCESS_KEY }

# The settings of all workspaces. Only docker needs an image.
#workspaces:
#  perOwner: 2
#  running: 100
#  concurrency: 10
#  pollSeconds: 60
#  stopWithDaemon: false
#  notify: ntfy:my-topic
#  image: node:24
#  sleepAfter: 5m
#  archiveAfter: 1d
#  wakeAhead: 2m
#  memoryMegabytes: 1024
#  cpus: 1
#  pids: 512

# Named workspaces. Each is created when something first runs in it: daybook schedule … --in reviewer
#keep:
#  reviewer:
#    image: node:24
#    sleepAfter: 10m
#    archiveAfter: 3d
#    wakeAhead: 2m
#    memoryMegabytes: 2048
#    cpus: 2
#    pids: 512

# Curves of nags, beside the built-in otu, minutes, hourly, daily and weekdays: daybook nag --curve
#curves:
#  gentle:
#    base: 2h
#    factor: 1.5
#    cap: 7d
#    jitter: 0.1
#    countMax: 20
#    sleep: 21:00-08:30
#    weekdays: false
#    wholeHours: false
# From this number on, another target gets it too.
#    escalate:
#      after: 10
#      target: ntfy:my-topic

# Modules with your own channels, like ./channels/pager.ts or a package: see docs/extend.md.
#plugins: []

# A URL that is called regularly, so that a monitor notices when this daemon has died.
#heartbeat:
#  url: https://hc.example.org/ping/daybook
#  every: 5m

# The daemon's log. The level is debug, info, warn or error; the format is json or pretty.
# Default format: pretty at a terminal, json elsewhere.
#log:
#  level: info
#  format: json

# Parts of the program that log at the level debug.
#debug: []
`;

/** A file with every setting as a comment, at its default if it has one. */
export function exampleConfig(): string {
  return example;
}
