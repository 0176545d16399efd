import type { Reader } from '../../../database/database.ts';
import { prepareAll, toJsonKeys } from '../../../database/prepare.ts';

const listNames = prepareAll<{ name: string }, [userId: string]>(`
  select groups.name from group_members join groups on groups.id = group_members.group_id
  where user_id = $1`);

/** Returns the names of the groups of a user, sorted. Deleted groups may have members left. */
export async function listGroupsOfUser(reader: Reader, userId: string): Promise<string[]> {
  return (await listNames(reader, userId)).map(({ name }) => name).sort();
}

const listNamesOfUsers = prepareAll<{ user_id: string; name: string }, [ids: string]>(`
  select group_members.user_id, groups.name from json_each($1)
    cross join group_members join groups on groups.id = group_members.group_id
  where group_members.user_id = json_each.key`);

/** Returns the users with the names of their groups, sorted. */
export async function addGroups<User extends { readonly id: string }>(
  reader: Reader,
  users: readonly User[],
) {
  const ids = users.map(({ id }) => id);
  const found = await listNamesOfUsers(reader, toJsonKeys(ids));
  const names = Map.groupBy(found, ({ user_id }) => user_id);
  return users.map((user) => ({
    ...user,
    groups: (names.get(user.id) ?? []).map(({ name }) => name).sort(),
  }));
}
