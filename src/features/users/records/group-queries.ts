import type { Reader } from '../../../database/database.ts';
import { prepareAll, prepareForRows } from '../../../database/prepare.ts';

const listNames = prepareAll<{ name: string }, [userId: string]>(`
  select groups.name from group_members join groups on groups.id = group_members.group_id
  where user_id = $1`);

/** Returns the names of the groups of a user, sorted. Deleted groups may have members left. */
export async function listGroupsOfUser(reader: Reader, userId: string): Promise<string[]> {
  return (await listNames(reader, userId)).map(({ name }) => name).sort();
}

const NAMES = prepareForRows<{ user_id: string; name: string }>(
  { id: 'text' },
  `select group_members.user_id, groups.name from given
    cross join group_members join groups on groups.id = group_members.group_id
    where group_members.user_id = given.id`,
);

/** Returns users with the names of their groups, sorted. */
export async function addGroups<User extends { readonly id: string }>(
  reader: Reader,
  users: readonly User[],
) {
  const names = Map.groupBy(await NAMES.all(reader, users), ({ user_id }) => user_id);
  return users.map((user) => ({
    ...user,
    groups: (names.get(user.id) ?? []).map(({ name }) => name).sort(),
  }));
}
