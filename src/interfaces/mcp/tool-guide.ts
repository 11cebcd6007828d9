/** When an agent should use each tool, and what to use instead. It follows the summary in the tool's description. */
export const toolGuide: Readonly<Record<string, string>> = {
  set_profile:
    "Use it when the owner names a time zone, a language, quiet hours or a place for messages. Without inputs it shows the current values.",
  schedule_notification:
    "Use it when a person says: remind me. Daybook keeps the message and sends it at that time, also when you are gone. The answer has the id and the exact time. For work that repeats, use schedule_create.",
  update_notification:
    "Use it when a reminder that is not sent yet has the wrong text or time. Only the inputs that you give change. The id is in the answer that created it, and in list_notifications.",
  list_notifications:
    'A notification is a reminder or another message that Daybook sends. Use it to find the id of a reminder, or to see what is waiting. Sent ones are included with "all": true.',
  get_notification:
    "Use it when you have an id and need the complete text. A long text comes in parts: the answer says how to request the next one.",
  import_notifications:
    "Use it to move reminders from another program, all in one call. Rows that were imported before are not imported again.",
  create_webhook:
    'Use it when messages should go to another program. Afterwards, set "target" to the webhook in other tools.',
  list_webhooks: "Use it to find the id of a webhook before you delete it or send to it.",
  delete_webhook: "Use it when a receiver is no longer in use.",
  nag: "Use it for a duty that must not be forgotten, such as paying rent: the message repeats at growing distances until done_nag is called. For one message, use schedule_notification.",
  list_nags: 'Use it to find the id of a nag. Nags that ended are included with "all": true.',
  show_nag: "Use it when you have the id of a nag and need its interval, state or next time.",
  snooze_nag: "Use it when a person says: not now, remind me later. The nag goes on afterwards.",
  done_nag:
    "Use it when a person says that they have done it. If they no longer want it, use delete_nag.",
  pause_nag: "Use it when a person wants no messages of a nag until resume_nag is called.",
  resume_nag: "Use it for a nag that was paused. The next message is sent at once.",
  delete_nag:
    "Use it when a person no longer wants a nag. If they have done what it asks for, use done_nag.",
  put_page:
    'A page is a longer text, such as a list, that a nag sends. Use it first, then call nag with the id as "page".',
  list_pages: "Use it to find the id of a page.",
  show_page: "Use it before you change a page, since a new body replaces the old one.",
  delete_page: "Use it when a page is no longer needed. Its nag is deleted too.",
  run_task:
    "Use it for work that a program registered under a name. For a command, an agent or an HTTP call that repeats, use schedule_create.",
  show_run:
    "Use it to see whether a run succeeded, and why it failed. For its full output, use schedule_run_output.",
  schedule_run_output:
    "Use it when the summary of the output is not enough; schedule_runs has the id of the run.",
  cancel_run: "Use it when a run is no longer wanted. Its schedule continues.",
  answer_run:
    "Use it after a person has answered: a run whose question is open waits. The question is in show_run.",
  resend_run: "Use it when a person lost the message with the output of a run.",
  schedule_create:
    'Use it for work that repeats, such as a report every weekday: each time, Daybook runs it and sends its output. "when" takes plain English or Korean, cron or RRULE; check the next times in the answer. To send a message once, use schedule_notification.',
  schedule_search:
    'Use it to find the id of a schedule. Schedules that ended are included with "all": true.',
  schedule_get: "Use it to see the settings of a schedule.",
  schedule_edit:
    "Use it when a schedule should run at another time, or do something else. Other inputs stay as they are.",
  schedule_delete:
    'Use it when a schedule should never run again. To stop it for some time, call schedule_edit with "status": "paused".',
  schedule_pause:
    "Use it when a schedule should not run for some time. It continues after schedule_resume, or at the time in `until`.",
  schedule_resume:
    "Use it for a schedule that was paused by a person, or disabled after too many failures.",
  schedule_run_now: "Use it to test a schedule, or when a person cannot wait for the next time.",
  schedule_backfill:
    'Use it after an outage, for the times in which nothing ran. Call it with "dry_run": true first to see the times.',
  schedule_preview: "Use it to check what a phrase means before you create a schedule with it.",
  schedule_runs:
    "A run is one execution of a schedule. Use it to find the id of a run, or to see which runs failed, were skipped or missed, and why.",
  schedule_apply:
    'Use it for schedules that a file of settings declares: they are created, changed and deleted to match it. Call it with "dry_run": true first to see what would change.',
  create_watch:
    "Use it when a job runs elsewhere, such as a backup, and a person wants to know if it fails or stays silent. The answer has the URL that the job calls.",
  retry_notification:
    "Use it when the channel works again after a delivery failed. list_notifications shows which failed.",
  emit_event:
    "An event says that something happened; a handler does the work for its type. Use it to start that work. An event with the name of an earlier one is not written twice.",
  list_events: "Use it to find the id of an event, or the events that wait or failed.",
  show_event: "Use it to follow what happened because of an event.",
  cancel_event: "Use it when the work for an event is no longer wanted.",
  list_tasks: "Use it to see what is running or waiting, across schedules and handlers.",
  claim_task:
    "A handler is a named kind of work, which workers outside of Daybook may do. Use it when you are such a worker. Keep the ticket of the answer: heartbeat_task and result_task need it.",
  heartbeat_task:
    "Use it while you work on a task, more often than its lease lasts; without it the task goes to another worker.",
  result_task:
    'Use it once when you have finished. If you need a person, report the status "needs_human" with a question.',
  list_questions: "Use it to see what a person must decide before work can continue.",
  show_question: "Use it to read the choices before you answer.",
  answer_question: "Use it after a person has answered. Do not guess the answer for them.",
  cancel_question: "Use it when nobody needs to answer any more.",
  list_queue: "Use it to look at events, tasks and messages together, as the operator does.",
  queue_stats: "Use it to see whether work piles up.",
  show_queued: "Use it when you have the id of an entry from list_queue and need its content.",
  move_queued: "Use it to cancel an entry of a queue, or to put one that has ended back into it.",
  edit_queued: "Use it to correct an entry before it is processed.",
  redrive_queued: "Use it after the cause of a failure is fixed.",
  create_subscription:
    "Use it when another program must follow what changes here. Posts are signed and repeated until the receiver accepts them.",
  list_subscriptions: "Use it to find the id of a subscription, or to see whether it lags behind.",
  delete_subscription: "Use it when no program reads the posts any more.",
  resume_subscription: "Use it when the receiver of a paused subscription works again.",
  replay_subscription: "Use it when a receiver has lost changes that were delivered.",
  create_workspace:
    "A workspace is an environment that lasts, such as a development machine. Use it to make one: it sleeps and wakes as its settings say, and keeps its files.",
  list_workspaces: "Use it to find the name of a workspace, or to see which are running.",
  show_workspace:
    "Use it to see whether a workspace is ready. To see what happens next, use plan_workspace.",
  edit_workspace:
    "Use it to start, stop or archive a workspace by its desired state, or to change when it sleeps.",
  touch_workspace: "Use it while a person works in a workspace, so that it stays awake.",
  archive_workspace:
    "Use it for a workspace that is not needed for long. restore_workspace brings it back.",
  restore_workspace: "Use it for a workspace that sleeps or is archived.",
  recover_workspace:
    "Use it after the cause of the ERROR is fixed. show_workspace shows the cause.",
  plan_workspace: "Use it when a workspace is not in its desired state and you want to know why.",
  delete_workspace:
    "Use it only when a person asks for it: the files are removed. To keep them, use archive_workspace.",
  create_calendar:
    "Use it when a person wants to see reminders in a calendar program. The address of a feed is shown only in this answer: give it to the person.",
  list_calendars: "Use it to find the id of a calendar.",
  show_calendar: "Use it to see whether a calendar is kept, or what stops it.",
  plan_calendar: "Use it to see what the next pass would change before you call confirm_calendar.",
  sync_calendar: "Use it when a person does not want to wait for the next pass.",
  confirm_calendar:
    "Use it only when a person has agreed to the removals that plan_calendar shows.",
  edit_calendar: "Use it to change what a calendar shows, and whether changes in it count.",
  delete_calendar:
    'Use it when a person no longer wants a calendar. Its entries are removed, unless "keep" is true.',
  snooze_notification:
    "Use it when a person says: remind me later. It takes the id of a reminder or of a nag.",
  done_notification:
    "Use it when a person says that they have done it. It takes the id of a reminder or of a nag.",
  cancel_notification:
    "Use it when a reminder is no longer wanted: its id is in list_notifications. A message that was sent cannot be cancelled.",
  cancel_notifications:
    'Use it when several reminders are no longer wanted, with at least one filter. Call it with "dry_run": true first, and show the person what would be cancelled.',
  next: "Use it to answer: what is coming up? It covers reminders, nags and schedules.",
  explain:
    "The answer has the target, the rules, each attempt and the next step. Use it when a person asks why a message did not arrive, or why something runs. It takes the id of any record, or the name of a schedule.",
  simulate: "Use it to check the effect of schedules and quiet hours before they happen.",
  pause_everything:
    "Use it when a person wants silence, such as on a holiday. Give `until`, or call resume_everything later.",
  resume_everything: "Use it after pause_everything.",
  whoami: "Use it first, to learn whose records you see, their time zone, and what is paused.",
};
