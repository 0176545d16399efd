/** Types of events about messages. */
import type { EventText } from './event-text.ts';

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
