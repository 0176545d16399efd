/** Entries of the command palette: users that the service finds, and the pages and actions that the role permits. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, basePath } from '../../common/api.ts';
import type { AdminScope, UserList } from '../../common/api-types.ts';
import type { IconName } from '../../common/icon.tsx';
import { navigate, path, withQuery } from '../../common/router.tsx';
import { THEMES, type Theme } from '../../common/storage.ts';
import { setTheme } from '../../common/theme-choice.tsx';
import { toApiError } from '../../common/use-load.ts';
import { DOCUMENTS, isPermitted, PAGES } from '../pages.ts';
import { startAction } from '../records/create-record.tsx';
import { may, request, signOut } from '../session.ts';
import { announce } from '../status.tsx';
import { DEFAULT_SORT, linkToUsers } from '../users/columns.tsx';
import { toName, users } from '../users/record.tsx';

export interface PaletteEntry {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** Shown after the label: the email of a user. */
  readonly note: string;
  /** Whether it leads out of the console. */
  readonly isOutside?: boolean;
  /** Called in place of leading somewhere, or when the page is open. */
  readonly run?: () => void;
}

export interface EntryGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** Entries that were opened in this tab, newest first. They are not stored: they may name users. */
let opened: readonly PaletteEntry[] = [];
const MAX_OPENED = 4;

/** Returns the groups with entries. Without a text, those that were opened last come first. */
export function groupEntries(text: string, users: readonly PaletteEntry[]): readonly EntryGroup[] {
  const pages = findPages(text);
  const isText = text.trim() !== '';
  const recent = isText ? [] : opened;
  const isRecent = ({ to }: PaletteEntry) => recent.some((entry) => entry.to === to);
  const groups = [
    { title: 'Opened last', entries: recent },
    { title: 'Pages', entries: pages.filter((entry) => !isRecent(entry)) },
    { title: 'Users', entries: users },
    { title: 'Actions', entries: findActions(text) },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

export function openEntry(entry: PaletteEntry): void {
  const { to, isOutside, run } = entry;
  if (run === undefined) opened = [entry, ...opened.filter((each) => each.to !== to)].slice(0, MAX_OPENED);
  if (isOutside) location.assign(basePath + to);
  else if (to !== '' && to !== path.value) navigate(to);
  run?.();
}

const MAX_USERS = '8';

/** Returns the function that finds the text at the beginning of a word. */
function createFilter(text: string) {
  const wanted = ` ${text.trim().toLowerCase()}`;
  return ({ label }: Pick<PaletteEntry, 'label'>) => ` ${label.toLowerCase()}`.includes(wanted);
}

/** Labels of buttons, with their page and the scope that they need. */
const ACTIONS: readonly (readonly [label: string, to: string, scope: AdminScope])[] = [
  ['Create user', '/console/users', 'users:write'],
  ['Create group', '/console/groups', 'groups:write'],
  ['Create form', '/console/forms', 'forms:write'],
  ['Create application', '/console/applications', 'applications:write'],
  ['Create webhook', '/console/webhooks', 'webhooks:write'],
  ['Create credential', '/console/credentials', 'admin'],
  ['Back up now', '/console/backups', 'settings:write'],
];

function findActions(text: string): PaletteEntry[] {
  const onPages = ACTIONS.filter(([, , scope]) => may(scope)).map(([label, to]) => ({
    ...{ to, label, note: '', icon: label.startsWith('Create') ? 'plus' : 'database' },
    run: () => startAction(label),
  }));
  const themes = (Object.keys(THEMES) as Theme[]).map((theme) => ({
    ...{ to: '', icon: 'theme', label: `Theme: ${THEMES[theme]}`, note: '' },
    run: () => setTheme(theme),
  }));
  const leave = {
    ...{ to: '', icon: 'leave', label: 'Sign out', note: '' },
    run: () =>
      signOut().catch((error) => announce(`You could not be signed out: ${toApiError(error).message}`)),
  };
  return ([...onPages, ...themes, leave] as PaletteEntry[]).filter(createFilter(text));
}

/** Returns the pages with a word that begins with the text. */
function findPages(text: string): PaletteEntry[] {
  const isWanted = createFilter(text);
  const pages = PAGES.filter((page) => isPermitted(page) && isWanted(page));
  const documents = DOCUMENTS.filter(isWanted);
  return [...pages, ...documents].map((page) => ({
    ...{ to: page.path, icon: page.icon, label: page.label, note: '' },
    isOutside: documents.includes(page),
  }));
}

/** Returns the first users that match, then their whole list if there are more. @throws ApiError */
async function findUsers(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const search = text.trim();
  const path = withQuery('/api/v1/users', { search, limit: MAX_USERS, sort: DEFAULT_SORT });
  const { body } = await request<UserList>(path, { signal });
  const found = body.data.map((user): PaletteEntry => {
    const label = toName(user);
    const note = user.email === label ? '' : (user.email ?? '');
    return { to: users.link(user.id), icon: 'users', label, note };
  });
  if (body.next_cursor === null) return found;
  const label = `All users with “${search}”`;
  return [...found, { to: linkToUsers({ search }), icon: 'search', label, note: 'List' }];
}

const PAUSE_MS = 150;

export interface FoundUsers {
  readonly users: readonly PaletteEntry[];
  readonly isSearching: boolean;
  readonly error: ApiError | null;
}

const NOTHING: FoundUsers = { users: [], isSearching: false, error: null };

/** While a search goes on, the users of the last one stay. Finds none without the scope `users:read`. */
export function useFoundUsers(text: string): FoundUsers {
  const wanted = may('users:read') ? text.trim() : '';
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (wanted === '') return setFound(NOTHING);
    const abort = new AbortController();
    const settle = (next: FoundUsers) => abort.signal.aborted || setFound(next);
    setFound((last) => ({ ...last, isSearching: true, error: null }));
    const search = () =>
      findUsers(wanted, abort.signal).then(
        (users) => settle({ ...NOTHING, users }),
        // An aborted search is no fault of the page.
        (error) => abort.signal.aborted || setFound({ ...NOTHING, error: toApiError(error) }),
      );
    const timer = setTimeout(search, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);
  return found;
}

export const isPaletteOpen = signal(false);

export function openPalette(): void {
  isPaletteOpen.value = true;
}
