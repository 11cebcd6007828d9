import type { ScheduleKind } from "./again/schedule.ts";
import type { WorkspaceKind } from "./always/workspace.ts";
import type { ChoreKind } from "./chore.ts";
import type { InviteKind } from "./invite.ts";
import type { NodeKind } from "./node.ts";
import type { ExpiryKind } from "./once/expiry.ts";
import type { NotificationKind } from "./once/notification.ts";
import type { PauseKind } from "./pause.ts";
import type { PersonKind } from "./person.ts";
import type { ProfileKind } from "./profile.ts";
import type { TaskKind } from "./runs/task.ts";
import type { TokenKind } from "./token.ts";
import type { NagKind } from "./until/nag.ts";
import type { PageKind } from "./until/page.ts";
import type { WebhookKind } from "./webhook.ts";
import type { CounterKind } from "./when/counter.ts";
import type { EventKind } from "./when/event.ts";
import type { QuestionKind } from "./when/question.ts";
import type { SourceKind } from "./when/source.ts";
import type { SubscriptionKind } from "./when/subscription.ts";

/**
 * Every kind of record: what was asked (`body`), what was seen (`outcome`), and its states.
 * A record is `live` until it reaches an `end`, and an end never changes. Every kind can be cancelled.
 */
interface Kinds {
  notification: NotificationKind;
  schedule: ScheduleKind;
  task: TaskKind;
  event: EventKind;
  question: QuestionKind;
  source: SourceKind;
  subscription: SubscriptionKind;
  workspace: WorkspaceKind;
  counter: CounterKind;
  nag: NagKind;
  page: PageKind;
  profile: ProfileKind;
  token: TokenKind;
  person: PersonKind;
  invite: InviteKind;
  webhook: WebhookKind;
  pause: PauseKind;
  expiry: ExpiryKind;
  chore: ChoreKind;
  node: NodeKind;
}

export type Kind = keyof Kinds;
export type Body<K extends Kind> = Kinds[K]["body"];
export type Outcome<K extends Kind> = Kinds[K]["outcome"];
export type Live<K extends Kind> = Kinds[K]["live"];
export type End<K extends Kind> = Kinds[K]["end"];
export type State<K extends Kind> = Live<K> | End<K>;
