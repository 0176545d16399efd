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
import { MAIL_KINDS } from '../queries.ts';
import { END_REASONS, MESSAGE_STATES } from './states.ts';

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

/** A message with its text. */
export const mailDetailSchema = dataSchema(
  extendSchema(mailSchema, {
    text: {
      ...nullableText,
      description:
        'The plain text, with `••••` for the token of its link. In the queue, and after it has failed or was cancelled, as it would be sent now. Null after it was sent, because texts are not kept, except for a day with `MAIL_TO_LOG`, for the scope `admin`.',
    },
    link: {
      ...nullableText,
      description:
        'The link of a message that was logged instead of sent (`MAIL_TO_LOG`), for the scope `admin`; otherwise null.',
    },
  }),
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
