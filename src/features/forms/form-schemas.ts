/** Schemas of forms in requests. */
import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import { nullableTimestamp } from '../../lib/schema/members.ts';
import { FILLED_PATTERN, STORABLE_PATTERN } from '../../lib/schema/patterns.ts';
import {
  MAX_FIELDS,
  MAX_HELP_LENGTH,
  MAX_OPTIONS,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
} from './definitions/definition.ts';
import { submissionSchema } from './schemas.ts';

/** A larger one is counted in full at each submission. */
const MAX_SUBMISSIONS = 100_000;

const title = { type: 'string', maxLength: MAX_TITLE_LENGTH, pattern: FILLED_PATTERN } as const;
const bound = { type: ['number', 'string', 'null'], description: 'Of a number or a date.' } as const;
const specified = submissionSchema.properties.fields.items;

const field = {
  type: 'object',
  required: specified.required,
  additionalProperties: false,
  properties: {
    ...specified.properties,
    title: { ...title, type: ['string', 'null'], description: 'The label for people.' },
    help: { type: ['string', 'null'], maxLength: MAX_HELP_LENGTH, pattern: FILLED_PATTERN },
    options: {
      type: ['array', 'null'],
      items: title,
      minItems: 1,
      maxItems: MAX_OPTIONS,
      uniqueItems: true,
      description: 'Of a text: the answer is one of them.',
    },
    multiple: { type: ['boolean', 'null'], description: 'The answer is a list of distinct options.' },
    multiline: {
      type: ['boolean', 'null'],
      description: 'Of a text without options: line breaks are allowed.',
    },
    max_length: { type: ['integer', 'null'], minimum: 1, maximum: MAX_TEXT_LENGTH },
    min: bound,
    max: bound,
  },
} as const satisfies JsonSchema;

export const fields = { type: 'array', items: field, minItems: 1, maxItems: MAX_FIELDS } as const;

const thanks = {
  type: ['object', 'null'],
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
  properties: {
    text: { type: 'string', maxLength: MAX_HELP_LENGTH, pattern: FILLED_PATTERN },
    url: { type: 'string', maxLength: 2_048, pattern: STORABLE_PATTERN },
  },
  description: 'Shown after a submission: a `text`, or a `url` of an allowed origin.',
} as const satisfies JsonSchema;

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
  opens_at: { ...nullableTimestamp, description: 'No submission is accepted before.' },
  closes_at: { ...nullableTimestamp, description: 'No submission is accepted from then on.' },
  max_submissions: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MAX_SUBMISSIONS,
    description: 'Number of submissions that are accepted; held and deleted ones do not count.',
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
  thanks,
} as const satisfies Readonly<Record<string, JsonSchema>>;

const description = {
  type: ['string', 'null'],
  maxLength: MAX_TEXT_LENGTH,
  pattern: STORABLE_PATTERN,
} as const;

export const formBodySchema = {
  title: 'FormRequest',
  type: 'object',
  required: ['title', 'fields'],
  additionalProperties: false,
  properties: { title, description, fields, ...settings },
} as const satisfies JsonSchema;

/** The body without the fields, whose rules have messages of their own. */
export const formMembersSchema = {
  ...formBodySchema,
  required: ['title'],
  properties: { ...formBodySchema.properties, fields: { 'x-ignored': true } },
} as const satisfies JsonSchema;
