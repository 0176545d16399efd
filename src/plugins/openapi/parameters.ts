/** The parameter that operations share. */
import type { JsonSchema } from '../../lib/schema/json-schema.ts';

/**
 * The grammar of `readIdempotencyKey` in one pattern: 1 to 255 characters, bare or as an RFC 9651 string, in which
 * each of them may be escaped.
 */
const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  pattern: String.raw`^(?:"(?:[ !#-\[\]-~]|\\["\\]){1,255}"|[!#-~][!-~]{0,254})$`,
  examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
} as const satisfies JsonSchema;

export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to retry for 24 hours: a request with the same key and body returns the stored response, with `Idempotent-Replayed: true`. 1 to 255 visible ASCII characters, bare or in double quotes (RFC 9651).',
    schema: IDEMPOTENCY_KEY,
  },
};
