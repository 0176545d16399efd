import type { Tx } from '../../database/database.ts';
import {
  prepareAll,
  prepareExists,
  prepareForRows,
  prepareGet,
  prepareRun,
  prepareTable,
  prepareValue,
} from '../../database/prepare.ts';
import { lockSetting } from '../../database/settings.ts';
import type { RecordStore } from '../records/change-record.ts';
import { type GroupRow, type ListedGroupRow, MAX_COUNTED } from './group.ts';

const COLUMNS = ['id', 'name', 'title', 'created_at', 'updated_at', 'version'] as const;
const table = prepareTable<GroupRow>('groups', COLUMNS);

/** Returns all groups, oldest first, each with the number of its members up to MAX_COUNTED. */
export const listGroups = prepareAll<ListedGroupRow>(`
  select ${COLUMNS}, (select count(*) from
    (select 1 from group_members where group_id = groups.id limit ${MAX_COUNTED}) as counted) as members
  from groups order by id`);

export const { find: findGroup, count: countGroups, insert: insertGroup } = table;

/** Lets changes of groups run one after the other, because no two of them have the same name. */
export const lockGroups = (tx: Tx) => lockSetting(tx, 'groups');

export const groupStore: RecordStore<GroupRow> = {
  kind: 'group',
  ...table,
  async lock(tx, id) {
    await lockGroups(tx);
    return table.lock(tx, id);
  },
  listChanges: (before, after) =>
    (['name', 'title'] as const).filter((name) => before[name] !== after[name]).map((name) => ({ name })),
  getDetails: ({ name }) => ({ name }),
};

/** Does the same for changes of members, which do not wait for those of other groups. */
export const memberStore: RecordStore<GroupRow> = { ...groupStore, lock: table.lock };

export const isNameTaken = prepareExists<[name: string, otherThan: string]>(
  'select id from groups where name = $1 and id <> $2',
);

export const countGroupsOfUser = prepareValue<number, [userId: string]>(`
  select count(*) as groups from group_members join groups on groups.id = group_members.group_id
  where user_id = $1`);

type Membership = [groupId: string, userId: string];

export const isMember = prepareExists<Membership>(
  'select user_id from group_members where group_id = $1 and user_id = $2',
);

/** Adds users to groups. Those who are members stay so. */
export const { run: insertMembers } = prepareForRows<never, Membership, [now: number]>(
  { group_id: 'text', user_id: 'text' },
  `insert into group_members (group_id, user_id, user_created_at, created_at)
    select given.group_id, users.id, users.created_at, cast($1 as bigint)
    from given cross join users where users.id = given.user_id on conflict do nothing`,
  1,
);

export const deleteMember = prepareRun<Membership>(
  'delete from group_members where group_id = $1 and user_id = $2',
);

/** Deletes at most `limit` members of a group, and returns their ids. */
export const deleteMembers = prepareAll<{ user_id: string }, [groupId: string, limit: number], Tx>(`
  delete from group_members where (user_id, group_id) in (
    select user_id, group_id from group_members where group_id = $1 order by user_created_at limit $2)
  returning user_id`);

/** Returns the next group that has members, or had some when it was deleted. */
export const findNextGroup = prepareGet<{ group_id: string }, [after: string]>(
  'select group_id from group_members where group_id > $1 order by group_id limit 1',
);
