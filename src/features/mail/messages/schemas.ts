/** Schemas, responses and examples of messages. */
import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import {
  dataSchema,
  extendSchema,
  FILLED_PATTERN,
  type JsonSchema,
  nullableText,
  nullableTimestamp,
  recordSchema,
  text,
  timestamp,
  uuid,
} from '../../../lib/schema/json-schema.ts';
import { dateOrTimeParameter, idParameters } from '../../../lib/schema/query-parameters.ts';
import { formatTimes } from '../../../lib/time.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { FALLBACK_LANGUAGE } from '../../texts/language-file.ts';
import type { Texts } from '../../texts/texts.ts';
import { exampleId } from '../../users/records/schemas.ts';
import { formatSubject } from '../content/render-mail.ts';
import { MAIL_KINDS, type MailKind } from '../queries.ts';
import { END_REASONS, MESSAGE_STATES, type MessageRow, type MessageState } from './queries.ts';

const stateDescription =
  '`waiting` (for its first or next attempt), `sending`, `sent` (accepted by the mail server, or logged), `failed`, `dropped` (was not to be sent) or `cancelled` (by the administrator).';
const reasonDescription =
  'Why it was not sent: `rejected` by the mail server for good, `expired` before an attempt succeeded, `not_needed` because its reason was gone, or over the `limit` of its recipient. Null in other states.';

export const mailSchema = {
  $id: 'Mail',
  ...recordSchema({
    id: uuid,
    kind: { type: 'string', enum: MAIL_KINDS },
    user_id: {
      ...nullableText,
      description:
        'The user of the message; null for one to the operator, and for one that anybody has requested for an address, until it is sent.',
    },
    recipient: { ...text, description: 'Its address.' },
    subject: text,
    state: { type: 'string', enum: MESSAGE_STATES, description: stateDescription },
    reason: { type: ['string', 'null'], enum: [...END_REASONS, null], description: reasonDescription },
    attempts: { type: 'integer', minimum: 0, description: 'Attempts that have begun.' },
    last_error: {
      ...nullableText,
      description:
        'Why the last attempt has failed: the command of SMTP and the codes of the response, or the error of the connection. Never the text of the server, which may contain an address.',
    },
    created_at: timestamp,
    next_attempt_at: { ...nullableTimestamp, description: 'Null unless it is in the queue.' },
    expires_at: { ...nullableTimestamp, description: 'When it is given up; null unless it is in the queue.' },
    ended_at: { ...nullableTimestamp, description: 'Null while it is in the queue.' },
  }),
} as const satisfies JsonSchema;

export const mailResponseSchema = dataSchema({ $ref: 'Mail' });

export const mailDetailSchema = dataSchema(
  extendSchema(mailSchema, {
    text: {
      ...nullableText,
      description:
        'The plain text, with `••••` for the token of its link. As it would be sent now, also after it was sent: texts are not kept, except for a day with `MAIL_TO_LOG`, for the scope `admin`. Null after it was dropped, or was sent by an earlier release.',
    },
    link: {
      ...nullableText,
      description:
        'The link of a message that was logged instead of sent (`MAIL_TO_LOG`), for the scope `admin`; otherwise null.',
    },
  }),
);

/** Also in the description of `countMail`. */
export const MAX_COUNT = 1_000;
const count = { type: 'integer', minimum: 0, maximum: MAX_COUNT } as const;

/** Numbers of messages by state. */
export const mailCountsSchema = dataSchema(
  recordSchema(
    Object.fromEntries(MESSAGE_STATES.map((state) => [state, count])) as Record<MessageState, typeof count>,
  ),
);

export const mailFilters = {
  state: { type: 'string', enum: MESSAGE_STATES, description: 'Only messages in this state.' },
  recipient: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: FILLED_PATTERN,
    'x-message': 'must have 1 to 255 characters, not only white space',
    description: 'Only messages to this address, or to addresses that contain this text, ignoring case.',
    examples: ['ada@example.com'],
  },
  from: dateOrTimeParameter('Only messages queued at this time or later.'),
  to: dateOrTimeParameter('Only messages queued before this time.'),
} as const satisfies Record<string, JsonSchema>;

export const mailIdSchema = idParameters({ id: 'Id of a message.' });

type FormatSubject = (kind: MailKind) => string;

/** Returns a message as the API shows it. */
export function messageView(message: MessageRow, formatSubject: FormatSubject) {
  const times = formatTimes(message, ['created_at', 'next_attempt_at', 'expires_at', 'ended_at']);
  return { ...times, recipient: message.email, subject: formatSubject(message.kind) };
}

/** Returns the response to an act on a message. */
export function changedResponse(
  status: 200 | 202,
  message: MessageRow,
  formatSubject: FormatSubject,
): CreatedResponse {
  const { id, user_id } = message;
  const body = { message: `Message ${id}`, data: messageView(message, formatSubject) };
  return { status, headers: {}, body, createdResources: user_id === null ? {} : { userId: user_id } };
}

export interface SubjectDeps {
  readonly texts: Texts;
  readonly settings: CurrentSettingsSource;
}

/** Returns the function that formats subjects in English. */
export async function createSubjectFormat({ texts, settings }: SubjectDeps): Promise<FormatSubject> {
  const english = await texts.get(FALLBACK_LANGUAGE);
  const { instanceName } = settings.current;
  return (kind) => formatSubject(english, kind, instanceName);
}

const exampleMail = {
  id: '01938c5e-7b10-7d4e-8f3a-4b6c8d0e1f2a',
  kind: 'verify_email',
  user_id: exampleId,
  recipient: 'ada@example.com',
  subject: 'Confirm your email address for Example',
  state: 'waiting',
  reason: null,
  attempts: 1,
  last_error: 'RCPT TO 451 4.7.1',
  created_at: '2026-01-05T09:30:00.000Z',
  next_attempt_at: '2026-01-05T09:31:04.000Z',
  expires_at: '2026-01-08T09:30:00.000Z',
  ended_at: null,
};

const exampleText = `Hello Ada Lovelace,

Please confirm that this is your email address for your account at Example.

Confirm email address:
https://id.example.com/account/verify-email/••••
`;

const ended = { next_attempt_at: null, expires_at: null, ended_at: '2026-01-05T09:30:20.000Z' };
const message = `Message ${exampleMail.id}`;

/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const examples = {
  list: { message: 'Messages list', data: [exampleMail], next_cursor: null },
  detail: { message, data: { ...exampleMail, text: exampleText, link: null } },
  retried: { message, data: exampleMail },
  cancelled: { message, data: { ...exampleMail, state: 'cancelled', ...ended } },
  counts: {
    message: 'Mail counts',
    data: { waiting: 3, sending: 0, sent: 408, failed: 1, dropped: 0, cancelled: 0 },
  },
};
