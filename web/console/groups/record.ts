/** Groups of users, as the API returns them, and changes of their members. */
import { ApiError } from '../../common/api.ts';
import type { Application, Group, ListedGroup, User, UserCount } from '../../common/api-types.ts';
import { formatCount, formatCounted } from '../../common/components.tsx';
import { withQuery } from '../../common/router.tsx';
import { applications } from '../applications/record.ts';
import type { RecordForm } from '../records/record-form.tsx';
import { createRecords, post } from '../records/requests.ts';
import { may, read, useData, useViewData } from '../session.ts';

export const groups = createRecords<Group>('/api/v1/groups', 'group');

/** Returns all groups, and how to load them again. */
export function useGroups(revision = 0) {
  return useData<readonly ListedGroup[]>(groups.path, revision);
}

type GroupApplications = (group: Group) => readonly Application[];

/** Returns the function that lists the applications which are limited to a group, as far as the role may see them. */
export function useGroupApplications(): GroupApplications {
  const [loaded] = useViewData(applications.path, async (signal) =>
    may('applications:read') ? read<readonly Application[]>(applications.path, { signal }) : [],
  );
  return ({ id }) => (loaded.data ?? []).filter(({ allowed_groups }) => allowed_groups?.includes(id));
}

/** Returns `12 members`. */
export function useMemberCount({ name }: Group, revision = 0): string {
  const path = withQuery('/api/v1/users/count', { group: name });
  const [loaded] = useData<UserCount>(path, revision);
  if (loaded.data === undefined) return '…';
  const { count, is_exact } = loaded.data;
  return `${is_exact ? '' : 'at least '}${formatCounted(count, 'member')}`;
}

export const GROUP_FORM: RecordForm<Group, Pick<Group, 'name' | 'title'>> = {
  toTyped: (group) => ({ name: group?.name ?? '', title: group?.title ?? '' }),
  toBody: (typed) => typed,
  getFields: () => [
    { name: 'title', label: 'Title', direction: 'auto', hint: 'Administrators read it.' },
    {
      name: 'name',
      label: 'Name',
      hint: 'Programs read it in the claim groups: lower-case letters, digits and hyphens, such as support-team.',
    },
  ],
};

/** Limit of a batch. */
const BATCH_SIZE = 1_000;

interface MemberResult {
  readonly status: number;
  readonly error?: string;
}

/** Adds users to a group, or removes them. @throws ApiError with the number of failures and the first reason */
export async function changeMembers(
  { id }: Pick<Group, 'id'>,
  action: 'add' | 'remove',
  users: readonly Pick<User, 'id'>[],
): Promise<void> {
  const results: MemberResult[] = [];
  for (let at = 0; at < users.length; at += BATCH_SIZE) {
    const body = { [action]: users.slice(at, at + BATCH_SIZE).map((user) => user.id) };
    const path = groups.pathTo(id, '/users/batch');
    results.push(...(await post<readonly MemberResult[]>(path, body)));
  }
  const failed = results.filter(({ error }) => error !== undefined);
  if (failed.length === 0) return;
  const error = `Not done for ${formatCount(failed.length)} of ${formatCount(results.length)}: ${failed[0]!.error}`;
  throw new ApiError(failed[0]!.status, { error, code: 'not_all_changed' });
}
