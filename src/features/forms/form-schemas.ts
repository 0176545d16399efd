/** Schemas of forms in requests. */
import * as json from '../../lib/schema/json-schema.ts';
import { MAX_TEXT_LENGTH } from './definitions/definition.ts';
import { submissionSchema } from './rules.ts';

const filled = <const Type extends string | readonly string[]>(type: Type, maxLength: number) =>
  ({
    type,
    maxLength,
    pattern: json.FILLED_PATTERN,
    'x-message': `must be a text of 1 to ${maxLength} characters`,
  }) as const;

const TEXT = ['string', 'null'] as const;
const flag = { type: ['boolean', 'null'], 'x-message': 'must be true or false' } as const;
const bound = {
  type: ['number', 'string', 'null'],
  'x-message': 'must be a number or a date',
  description: 'Of a number or a date.',
} as const;
const specified = submissionSchema.properties.fields.items;

const field = json.closedSchema(specified.required, {
  ...specified.properties,
  title: { ...filled(TEXT, 200), description: 'The label for people.' },
  help: filled(TEXT, 1_000),
  options: {
    type: ['array', 'null'],
    items: {
      type: 'string',
      maxLength: 200,
      pattern: String.raw`^[^\S\r\n]*[^\s\x00][^\x00\r\n]*$`,
    },
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    'x-message': 'must be 1 to 200 distinct texts of 1 to 200 characters without line breaks',
    description: 'Of a text: the answer is one of them.',
  },
  multiple: { ...flag, description: 'The answer is a list of distinct options.' },
  multiline: { ...flag, description: 'Of a text without options: line breaks are allowed.' },
  max_length: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MAX_TEXT_LENGTH,
    'x-message': `must be an integer from 1 to ${MAX_TEXT_LENGTH}`,
  },
  min: bound,
  max: bound,
});

export const fields = { type: 'array', items: field, minItems: 1, maxItems: 200 } as const;

export const settings = {
  access: {
    type: 'string',
    enum: ['public', 'token'],
    description: 'Who may submit: anybody (if absent), or users with a token.',
  },
  once: {
    type: 'boolean',
    description: 'Whether each user can submit once; with the access `token`. False if absent.',
  },
  time_zone: {
    type: TEXT,
    maxLength: 64,
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
    description: 'IANA time zone, such as `Europe/Berlin`, in which people read its times; null: UTC.',
  },
  opens_at: { ...json.nullableTimestamp, description: 'No submission is accepted before.' },
  closes_at: { ...json.nullableTimestamp, description: 'No submission is accepted from then on.' },
  max_submissions: {
    type: ['integer', 'null'],
    minimum: 1,
    // All are counted at each submission.
    maximum: 100_000,
    description: 'Number of submissions that are accepted; held and deleted ones do not count.',
  },
  max_per_minute: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 10_000,
    description:
      'Anonymous submissions from one network in a minute that are not held; null: 10. Those of a hosted page that was open for two seconds do not count.',
  },
  retention_days: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 3_650,
    description: 'Age at which submissions are deleted; null: never.',
  },
  on_erasure: {
    type: 'string',
    enum: ['delete', 'unlink'],
    description:
      'What happens to the submissions of a user who is erased: `delete` if absent, `unlink` keeps the answers.',
  },
  allowed_origins: {
    type: 'array',
    items: { type: 'string', maxLength: 255 },
    maxItems: 20,
    description: 'Origins of pages that may embed the form, post to it and be led to.',
  },
  thanks: {
    type: ['object', 'null'],
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    properties: { text: filled('string', 1_000), url: { type: 'string', maxLength: 2_048 } },
    description: 'Shown after a submission: a `text`, or a `url` of an allowed origin.',
  },
  notify: {
    type: ['object', 'null'],
    required: ['addresses', 'every'],
    additionalProperties: false,
    properties: {
      addresses: {
        type: 'array',
        items: { type: 'string', format: 'email', maxLength: 255 },
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
      },
      every: { type: 'string', enum: ['submission', 'hour'] },
    },
    description:
      'Messages without answers to these addresses, of each submission that is not held or once an hour.',
  },
} as const satisfies Readonly<Record<string, json.JsonSchema>>;

export const formBodySchema = {
  title: 'FormRequest',
  type: 'object',
  required: ['title', 'fields'],
  additionalProperties: false,
  properties: {
    title: filled('string', 200),
    description: { type: TEXT, maxLength: MAX_TEXT_LENGTH, pattern: json.STORABLE_PATTERN },
    fields,
    ...settings,
  },
} as const satisfies json.JsonSchema;

/** In the order in which they are stored. */
export const FIELD_MEMBERS = Object.keys(field.properties);
