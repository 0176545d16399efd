import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { toTime } from '../../../lib/schema/parameters.ts';
import { createQueryValidator } from '../../../lib/schema/query-validator.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import type { MessageFilter } from './list-messages.ts';
import { mailFilters } from './schemas.ts';

const schema = { type: 'object', properties: mailFilters } as const;

/** Returns the filter of a validated query. */
export function toMessageFilter({ state, recipient, from, to }: SchemaValue<typeof schema>): MessageFilter {
  return {
    state: state ?? null,
    recipient: recipient === undefined ? null : normalizeEmail(recipient),
    from: toTime(from),
    to: toTime(to),
  };
}

/** Validates the parameters of a query. @throws Problem invalid_filter */
export const validateMessageFilter = createQueryValidator(schema);
