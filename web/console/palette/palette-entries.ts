/** Entries of the command palette: pages that the credential permits, and users that the service finds. */
import type { User, UserList } from '../../common/api-types.ts';
import type { IconName } from '../../common/icon.tsx';
import { withQuery } from '../../common/router.tsx';
import { DOCUMENTS, isPermitted, PAGES } from '../pages.ts';
import { request } from '../session.ts';
import { toName } from '../user-record.tsx';
import { DEFAULT_SORT, linkToUsers } from '../users/list-view.ts';

export interface PaletteEntry {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** Shown after the label: the email of a user. */
  readonly note: string;
  /** Whether it leads out of the console. */
  readonly isOutside?: boolean;
}

const MAX_USERS = '8';

/** Returns the pages with a word that begins with the text. */
export function findPages(text: string): PaletteEntry[] {
  const wanted = text.trim().toLowerCase();
  const isWanted = ({ label }: Pick<PaletteEntry, 'label'>) =>
    ` ${label.toLowerCase()}`.includes(` ${wanted}`);
  const pages = PAGES.filter((page) => isPermitted(page) && isWanted(page));
  const toPage = ({ path, icon, label }: (typeof DOCUMENTS)[number]) => ({
    to: path,
    icon,
    label,
    note: 'Page',
  });
  const documents = DOCUMENTS.filter(isWanted).map(toPage);
  return [...pages.map(toPage), ...documents.map((entry) => ({ ...entry, isOutside: true }))];
}

/** Returns the first users that match, then their whole list if there are more. @throws ApiError */
export async function findUsers(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const search = text.trim();
  const path = withQuery('/api/v1/users', { search, limit: MAX_USERS, sort: DEFAULT_SORT });
  const { body } = await request<UserList>(path, { signal });
  const users = body.data.map(toEntry);
  return body.next_cursor === null ? users : [...users, toList(search)];
}

function toEntry(user: User): PaletteEntry {
  const label = toName(user);
  const note = user.email === label ? '' : (user.email ?? '');
  return { to: `/console/users/${user.id}`, icon: 'users', label, note };
}

function toList(search: string): PaletteEntry {
  return { to: linkToUsers({ search }), icon: 'search', label: `All users with “${search}”`, note: 'List' };
}
