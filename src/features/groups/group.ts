/** The record of a group: its row, its schemas, what the API shows of it, and examples. */
import * as json from '../../lib/schema/json-schema.ts';
import { exampleId as id, idParameters } from '../../lib/schema/query-parameters.ts';
import { formatTimes } from '../../lib/time.ts';
import { GROUP_NAME, timestamp, uuid } from '../users/records/member-schemas.ts';

export const MAX_GROUPS = 500;
export const MAX_GROUPS_OF_USER = 100;
/** Members of each group that a list counts. */
export const MAX_COUNTED = 1_000;

/** Times in epoch milliseconds. */
export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

export interface ListedGroupRow extends GroupRow {
  readonly members: number;
}

const members = {
  name: {
    type: 'string',
    pattern: GROUP_NAME,
    'x-filled': true,
    description:
      'What programs read, in the claim `groups`: 1 to 64 lower-case letters, digits and hyphens. Unique.',
  },
  title: {
    ...json.visibleName,
    'x-filled': true,
    description: 'What administrators read.',
  },
} as const satisfies Readonly<Record<string, json.JsonSchema>>;

export const groupSchema = {
  $id: 'Group',
  ...json.recordSchema({
    id: uuid,
    ...members,
    created_at: timestamp,
    updated_at: timestamp,
    version: { type: 'integer', minimum: 1, description: 'The number in the ETag.' },
  }),
} as const satisfies json.JsonSchema;

export const groupResponseSchema = json.dataSchema({ $ref: 'Group' });
export const groupListSchema = json.dataSchema({
  type: 'array',
  items: json.recordSchema({
    ...groupSchema.properties,
    members: {
      ...{ type: 'integer', minimum: 0, maximum: MAX_COUNTED },
      description: `Number of users in the group; ${MAX_COUNTED} if there are as many or more.`,
    },
  }),
});
export const groupIdSchema = idParameters({ id: 'Id of a group.' });

export const createGroupSchema = json.closedSchema(['name', 'title'], members);

export const updateGroupSchema = json.closedSchema([], members);

export type NewGroup = json.SchemaValue<typeof createGroupSchema>;
export type GroupChanges = json.SchemaValue<typeof updateGroupSchema>;

/** Returns a group as the API shows it. */
export const groupView = <Row extends GroupRow>(group: Row) =>
  formatTimes(group, ['created_at', 'updated_at']);

const newGroup = { name: 'staff', title: 'Staff' };

/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const examples = {
  newGroup,
  group: {
    id,
    ...newGroup,
    created_at: '2026-01-05T09:30:00.000Z',
    updated_at: '2026-01-05T09:30:00.000Z',
    version: 1,
  },
};
