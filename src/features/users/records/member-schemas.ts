/** The rules of single members, shared by the schemas of bodies. */
import { ROLE_NAMES } from '../../../callers/admin-scopes.ts';
import {
  FILLED_PATTERN,
  type JsonSchema,
  NOT_BLANK_PATTERN,
  STORABLE_PATTERN,
} from '../../../lib/schema/json-schema.ts';

export { nullableText, nullableTimestamp, text, timestamp, uuid } from '../../../lib/schema/json-schema.ts';

export const optionalName = {
  type: 'string',
  maxLength: 255,
  pattern: STORABLE_PATTERN,
  'x-trim': true,
  description: 'Surrounding white space is removed.',
} as const satisfies JsonSchema;

export const name = {
  ...optionalName,
  pattern: FILLED_PATTERN,
  description: `Must not be blank. ${optionalName.description}`,
} as const satisfies JsonSchema;

export const email = {
  type: 'string',
  format: 'email',
  maxLength: 255,
  'x-trim': true,
  description: 'An address as the HTML element `<input type=email>` accepts it.',
} as const satisfies JsonSchema;

export const GROUP_NAME = '^[a-z0-9-]{1,64}$';

/** At least 8 characters as specified; the upper bound limits the cost of hashing and truncates nothing. */
export const password = {
  type: 'string',
  format: 'password',
  minLength: 8,
  'x-maxBytes': 4096,
  description: 'Must not be blank. At most 4096 bytes as UTF-8 in normalization form C.',
  // A login with a blank password is invalid, so that nobody could use one.
  pattern: NOT_BLANK_PATTERN,
} as const satisfies JsonSchema;

/** Rejected if it is blank, because a record without the password that was given would be a surprise. */
export const optionalPassword = { ...password, 'x-notBlank': true } as const satisfies JsonSchema;

/** Metadata in requests. metadata.ts checks its content. */
const metadata = { type: ['object', 'null'], additionalProperties: true } as const satisfies JsonSchema;

const LIMITS = 'At most 4096 bytes of JSON, 8 levels deep, with integers up to 2^53 - 1.';

export const userMetadata = {
  ...metadata,
  description: `Data of the application that the user may write. ${LIMITS}`,
} as const satisfies JsonSchema;

export const appMetadata = {
  ...metadata,
  description: `Data of the application that only the administrator may write. ${LIMITS} The members of \`claims\`, texts, numbers, booleans and lists of texts of at most 2048 bytes together, are claims in ID tokens and userinfo; registered names are rejected.`,
} as const satisfies JsonSchema;

export const MERGED =
  'A JSON merge patch (RFC 7396): members that are null are removed, objects are merged. Null removes all.';

export const level = {
  type: ['string', 'null'],
  maxLength: 255,
  pattern: STORABLE_PATTERN,
} as const satisfies JsonSchema;

export const role = {
  type: ['string', 'null'],
  enum: [...ROLE_NAMES, null],
  description: 'What the user may do in the console; null: nothing. Only owners change it.',
} as const satisfies JsonSchema;

export const locale = {
  type: ['string', 'null'],
  'x-locale': true,
  description:
    'Language in which the user reads, as a BCP 47 tag in canonical form, such as `de` or `pt-BR`.',
} as const satisfies JsonSchema;

export const zoneinfo = {
  type: ['string', 'null'],
  'x-timeZone': true,
  description: 'IANA time zone in which the user reads times, such as `Europe/Berlin`.',
} as const satisfies JsonSchema;
