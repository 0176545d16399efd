/** What the command palette offers: pages that the credential permits, and users that the service finds. */
import type { User, UserList } from '../../common/api-types.ts';
import type { IconName } from '../../common/icon.tsx';
import { withQuery } from '../../common/router.tsx';
import { isPermitted, PAGES } from '../pages.ts';
import { request } from '../session.ts';
import { toLabel } from '../user-record.tsx';
import { DEFAULT_SORT } from '../users/list-view.ts';

export interface PaletteEntry {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** Shown after the label: the name of a user. */
  readonly note: string;
}

const MAX_USERS = '8';

/** Returns the pages with a word that begins with the text. */
export function findPages(text: string): PaletteEntry[] {
  const wanted = text.trim().toLowerCase();
  const pages = PAGES.filter(
    ({ label, scope }) => isPermitted({ scope }) && ` ${label.toLowerCase()}`.includes(` ${wanted}`),
  );
  return pages.map(({ path, icon, label }) => ({ to: path, icon, label, note: 'Page' }));
}

/** @throws ApiError */
export async function findUsers(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const path = withQuery('/api/v1/users', { search: text.trim(), limit: MAX_USERS, sort: DEFAULT_SORT });
  const { body } = await request<UserList>(path, { signal });
  return body.data.map(toEntry);
}

function toEntry(user: User): PaletteEntry {
  const label = toLabel(user);
  const note = user.name === label ? '' : (user.name ?? '');
  return { to: `/console/users/${user.id}`, icon: 'users', label, note };
}
