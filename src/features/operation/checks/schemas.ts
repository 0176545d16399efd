import { dataSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { text, timestamp } from '../../users/records/member-schemas.ts';
import { STATUSES } from './finding.ts';

const finding = {
  type: 'object',
  required: ['check', 'status', 'message'],
  properties: {
    check: { ...text, description: 'What was checked. A check may have several findings.' },
    status: { type: 'string', enum: STATUSES },
    message: { ...text, description: 'What is the case and, unless it is fine, what to do.' },
  },
} as const satisfies JsonSchema;

export const checksSchema = dataSchema({
  type: 'object',
  required: ['generated_at', 'checks'],
  properties: {
    generated_at: { ...timestamp, description: 'When the checks ended.' },
    checks: { type: 'array', items: finding },
  },
});
