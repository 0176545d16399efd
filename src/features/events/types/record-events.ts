/** Types of events about webhooks, applications and identity providers, about forms, and about messages. */
import type { EventText } from './event-text.ts';

export const CONNECTION_EVENTS = {
  'webhook.created': {
    meaning: 'A webhook was created. It receives the events after this one.',
    label: 'Webhook created',
    done: 'created {}',
  },
  'webhook.updated': {
    meaning: 'Settings of a webhook were changed; `changes` names them.',
    label: 'Webhook changed',
    done: 'changed {}',
  },
  'webhook.disabled': {
    meaning:
      'The service has disabled a webhook; `reason` is `gone` (the receiver responded with 410) or `failing` (for five days).',
    label: 'Webhook disabled',
    done: 'disabled {}',
  },
  'webhook.secret_rotated': {
    meaning: 'The secret of a webhook was replaced.',
    label: 'Webhook secret replaced',
    done: 'replaced the secret of {}',
  },
  'webhook.tested': {
    meaning: 'The administrator requested a test of a webhook.',
    label: 'Webhook tested',
    done: 'sent a test to {}',
  },
  'webhook.delivery_retried': {
    meaning: 'The administrator requested another attempt of a delivery.',
    label: 'Delivery retried',
    done: 'sent a delivery to {} again',
  },
  'webhook.replayed': {
    meaning: 'The administrator requested earlier events again; `details.events` has their number.',
    label: 'Events replayed',
    done: 'sent earlier events to {} again',
  },
  'webhook.deleted': {
    meaning: 'A webhook was deleted. The last event of its subject.',
    label: 'Webhook deleted',
    done: 'deleted {}',
  },
  'application.created': {
    meaning: 'An application to which people sign in was created; `details` has its name.',
    label: 'Application created',
    done: 'created {}',
  },
  'application.updated': {
    meaning: 'An application was changed; `changes` names the members.',
    label: 'Application changed',
    done: 'changed {}',
  },
  'application.secret_rotated': {
    meaning: 'The secret of an application was replaced.',
    label: 'Application secret replaced',
    done: 'replaced the secret of {}',
  },
  'application.rejected': {
    meaning:
      'A request for a sign-in to an application was rejected, at most one a minute is recorded; `details` has `error`, `description` and, if it is registered, `redirect_uri`.',
    label: 'Sign-in request rejected',
    sentence: 'A request for a sign-in to {} was rejected',
  },
  'application.deleted': {
    meaning: 'An application was deleted, and its tokens revoked. The last event of its subject.',
    label: 'Application deleted',
    done: 'deleted {}',
  },
  'identity_provider.created': {
    meaning: 'An identity provider was added; `details` has its name.',
    label: 'Identity provider added',
    done: 'added {}',
  },
  'identity_provider.updated': {
    meaning: 'Settings of an identity provider were changed; `changes` names them.',
    label: 'Identity provider changed',
    done: 'changed {}',
  },
  'identity_provider.deleted': {
    meaning: 'An identity provider was deleted; `details` has its name. The last event of its subject.',
    label: 'Identity provider deleted',
    done: 'deleted {}',
  },
  'group.created': {
    meaning: 'A group of users was created; `details` has its name.',
    label: 'Group created',
    done: 'created {}',
  },
  'group.updated': {
    meaning: 'A group was changed; `changes` names the members.',
    label: 'Group changed',
    done: 'changed {}',
  },
  'group.deleted': {
    meaning: 'A group was deleted: nobody is a member any more. The last event of its subject.',
    label: 'Group deleted',
    done: 'deleted {}',
  },
} as const satisfies Readonly<Record<string, EventText>>;

export const FORM_EVENTS = {
  'form.created': {
    meaning: 'A form was created.',
    label: 'Form created',
    done: 'created {}',
  },
  'form.updated': {
    meaning: 'A form was changed; `details.version` is that of its draft.',
    label: 'Form changed',
    done: 'changed {}',
  },
  'form.published': {
    meaning: 'A version of a form was published; `details.version` has its number.',
    label: 'Form published',
    done: 'published {}',
  },
  'form.closed': {
    meaning: 'A form was closed: it accepts no submissions.',
    label: 'Form closed',
    done: 'closed {}',
  },
  'form.reopened': {
    meaning: 'A closed form was opened again.',
    label: 'Form reopened',
    done: 'reopened {}',
  },
  'form.deleted': {
    meaning: 'A form was deleted with its submissions. The last event of its subject.',
    label: 'Form deleted',
    done: 'deleted {}',
  },
  'submission.received': {
    meaning:
      'A form received a submission; `details` has the ids of both, and whether it is held because it looks like spam. Of many in an hour, one event a minute has their number in place of that.',
    label: 'Submission received',
    done: 'submitted {}',
    perHour: 60,
    isSlotted: true,
  },
  'submission.released': {
    meaning: 'A submission that looked like spam was released.',
    label: 'Submission released',
    done: 'released a submission to {}',
  },
  'submission.deleted': {
    meaning: 'The administrator deleted a submission.',
    label: 'Submission deleted',
    done: 'deleted a submission to {}',
  },
  'submissions.exported': {
    meaning: 'The administrator exported the submissions to a form.',
    label: 'Submissions exported',
    done: 'exported the submissions to {}',
    perHour: 60,
  },
} as const satisfies Readonly<Record<string, EventText>>;

export const MAIL_EVENTS = {
  'link.requested': {
    meaning: 'The administrator requested a message with a link for a user; `details.kind` says what for.',
    label: 'Link requested',
    done: 'requested a message with a link for {}',
  },
  'link.sent': {
    meaning: 'A message with a link was accepted by the mail server; `details.kind` says what for.',
    label: 'Link sent',
    done: 'sent a message with a link to {}',
  },
  'mail.retried': {
    meaning:
      'The administrator had a message sent now or once more: `details` has its id and kind. Without a subject of a user: all queued messages.',
    label: 'Message sent again',
    done: 'sent a message to {} again',
  },
  'mail.cancelled': {
    meaning: 'The administrator cancelled a message before it was sent; `details` has its id and kind.',
    label: 'Message cancelled',
    done: 'cancelled a message to {}',
  },
} as const satisfies Readonly<Record<string, EventText>>;
