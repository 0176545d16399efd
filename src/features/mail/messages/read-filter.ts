import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { toTime } from '../../../lib/schema/parameters.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import type { MessageFilter } from './list-messages.ts';
import type { mailFilters } from './schemas.ts';

type FilterQuery = SchemaValue<{ type: 'object'; properties: typeof mailFilters }>;

/** Returns the filter of a validated query. */
export function toMessageFilter({ state, recipient, from, to }: FilterQuery): MessageFilter {
  return {
    state: state ?? null,
    recipient: recipient === undefined ? null : normalizeEmail(recipient),
    from: toTime(from),
    to: toTime(to),
  };
}
