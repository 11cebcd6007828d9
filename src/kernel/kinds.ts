import type { InviteKind } from "../features/accounts/invite.ts";
import type { PersonKind } from "../features/accounts/person.ts";
import type { ProfileKind } from "../features/accounts/profile.ts";
import type { TokenKind } from "../features/accounts/token.ts";
import type { CounterKind } from "../features/events/counter.ts";
import type { EventKind } from "../features/events/kind.ts";
import type { QuestionKind } from "../features/events/question.ts";
import type { SourceKind } from "../features/events/source.ts";
import type { SubscriptionKind } from "../features/events/subscription.ts";
import type { NagKind } from "../features/nags/kind.ts";
import type { PageKind } from "../features/nags/page.ts";
import type { ChoreKind } from "../features/nodes/chore.ts";
import type { NodeKind } from "../features/nodes/node.ts";
import type { PauseKind } from "../features/nodes/pause.ts";
import type { ExpiryKind } from "../features/notifications/expiry.ts";
import type { NotificationKind } from "../features/notifications/kind.ts";
import type { WebhookKind } from "../features/notifications/webhook.ts";
import type { ScheduleKind } from "../features/schedules/kind.ts";
import type { TaskKind } from "../features/tasks/kind.ts";
import type { WorkspaceKind } from "../features/workspaces/kind.ts";

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
