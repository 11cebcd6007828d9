const example = `# What Daybook is set to. Every line is a default or an example: take the # away to set it.
# A flag wins over a variable, a variable over this file. Paths start at this file's folder.
# Check it with: daybook config check
# For help in an editor: daybook config schema > daybook.schema.json, and leave this line in:
# yaml-language-server: $schema=./daybook.schema.json

# Where the book is: sqlite:PATH, file:FOLDER, postgres://…, or memory: for a trial. As it can have
# a password in it, it may also be { env: DATABASE_URL }. Without it: book.db in the home.
#store: sqlite:./book.db

# The folder for everything Daybook keeps. Without it: daybook in your data folder.
#home: ~/daybook

# Of owners who have set none. Without them: the machine's zone, and the language of LANG.
#timezone: Asia/Seoul
#language: en

# How long a node that died keeps its work from the others.
#leaseSeconds: 15

# Records that ended are forgotten after this many days.
#keepDays: 90

# The API and the dashboard.
#http:
#  host: 127.0.0.1
#  port: 4810
#  publicUrl: https://book.example.org

# People. Home is where things go that were asked for outside a chat; in quiet hours only what is
# urgent is said.
#owners:
#  mina:
#    timezone: Asia/Seoul
#    language: ko
#    home: ntfy:mina-phone
#    quiet: { from: "22:00", to: "07:00" }

# How things are said. A secret is { env: NAME } or { file: PATH }.
#channels:
#  ntfy:
#    server: https://ntfy.sh
#    token: { env: NTFY_TOKEN }
#  webhook:
# Hosts that may be asked although they are private or speak plain http, like intranet:8080.
#    allow: []
#  desktop:
# Owners whose inbox pops up too.
#    inbox: []
# A program of yours says what is sent to exec:NAME.
#  exec:
#    lamp:
#      command: [./lamp.sh, blink]
#      env: []
#      timeoutSeconds: 20
# Bots that say things and hear people: those that stand here, and who joined with a code of daybook link.
#  telegram:
#    token: { env: TELEGRAM_TOKEN }
#    api: https://api.telegram.org
#    mode: polling
#    secret: { env: TELEGRAM_SECRET }
#    senders: [{ id: "123456", owner: me }]
#    maxMessageLength: 4096
#  slack:
#    token: { env: SLACK_TOKEN }
#    api: https://slack.com/api
#    appToken: { env: SLACK_APP_TOKEN }
#    signingSecret: { env: SLACK_SIGNING_SECRET }
#    senders: [{ id: U0123456789, owner: me }]
# Where work of handlers speaks that no chat asked for.
#    defaultChannel: C0123456789
#  discord:
#    token: { env: DISCORD_TOKEN }
#    api: https://discord.com/api/v10
#    publicKey: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#    senders: [{ id: "80351110224678912", owner: me }]
#  email:
#    from: Daybook <daybook@example.org>
#    url: { env: SMTP_URL }

# What schedules and handlers may run. Programs are off unless they are allowed; [all] allows every one.
#runners:
# How many tasks of handlers are at work at once.
#  max: 3
#  command:
#    allow: []
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

# How much there may be.
#limits:
#  schedulesPerOwner: 50
#  minGapSeconds: 60

# Schedules that are as this file says: made, changed and taken away with it. See: daybook apply --dry-run
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
# What its runs may use; the last two are an agent's.
#    budget:
#      runsPerDay: 24
#      costPerDay: 2
#      turnsPerRun: 10
#      costPerRun: 0.5
#    adopt: false
# When it runs can also be said as data, of the type cron, interval or rrule.
#  first-monday:
#    cadence: { type: rrule, rule: FREQ=MONTHLY;BYDAY=1MO, start: "2026-01-05 09:00" }
#    run: { agent: Look through what is left open }

# What is done when something happens: each type of event has one handler. A command gets the task as JSON on its
# input and in DAYBOOK_TASK_FILE. Without run, workers of yours claim its tasks. See also: daybook on
#handlers:
#  gen-pr:
#    subscribes: [github.pr.review_requested]
#    run: { command: [./jobs/review.sh, "{{payload.pr_number}}"], cwd: ./work }
#    timeout: 30m
#    retries: 2
# Where its work speaks when no chat asked for it, and where its results may ask to be told beside.
#    channel: C0123456789
#    channels: [C0987654321]
#    repo: acme/shop
# What it does again and again, whatever happens.
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

# Where it is asked what happened; what it is called says what it is, unless kind does.
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

# Where others tell what happened: /hooks/NAME under http.publicUrl. The kind is github, standard (Standard
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

# Over the yellow ones only what is urgent is begun, over the red ones nothing: in percent.
#health:
#  yellow: { cpu: 60, memory: 60, disk: 85 }
#  red: { cpu: 80, memory: 80, disk: 95 }

# Workspaces: what their machines are (local, processes of this computer; or docker, containers of an engine), and where their
# archives are kept (dir:FOLDER or s3://bucket/prefix). See docs/always.md.
#machines: local
#docker:
#  host: unix:///var/run/docker.sock
#  network: bridge
#  place: build-server
#archives: dir:archives
#s3:
#  endpoint: https://s3.example.org
#  region: us-east-1
#  accessKeyId: { env: AWS_ACCESS_KEY_ID }
#  secretAccessKey: { env: AWS_SECRET_ACCESS_KEY }

# What holds for each of them, and what a machine may have. An image is only needed for docker.
#workspaces:
#  perOwner: 2
#  running: 100
#  concurrency: 10
#  pollSeconds: 60
#  notify: ntfy:my-topic
#  image: node:24
#  sleepAfter: 5m
#  archiveAfter: 1d
#  wakeAhead: 2m
#  memoryMegabytes: 1024
#  cpus: 1
#  pids: 512

# Workspaces by name. Each is made when something is first to run in it: daybook schedule … --in reviewer
#keep:
#  reviewer:
#    image: node:24
#    sleepAfter: 10m
#    archiveAfter: 3d
#    wakeAhead: 2m
#    memoryMegabytes: 2048
#    cpus: 2
#    pids: 512

# How far apart things are said until they are done, beside otu, minutes, hourly, daily and weekdays: daybook nag --curve
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
# From this number on somebody else hears it too.
#    escalate:
#      after: 10
#      target: ntfy:my-topic

# Modules that bring channels of yours, like ./channels/pager.ts or a package: see docs/extend.md.
#plugins: []

# A URL that is asked again and again, so that somebody notices when this daemon is gone.
#heartbeat:
#  url: https://hc.example.org/ping/daybook
#  every: 5m

# What the daemon says about itself. The level is debug, info, warn or error; the format json or
# pretty. Without a format: pretty at a terminal, json elsewhere.
#log:
#  level: info
#  format: json

# Parts that tell more.
#debug: []
`;

/** A file with every setting: as comments, at their defaults where they have one. */
export function exampleConfig(): string {
  return example;
}
