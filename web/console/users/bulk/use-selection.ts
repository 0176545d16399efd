/** The users that are selected in a list, on any of its pages. */
import { useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import type { Selected } from '../../list/selection.tsx';
import { apiPath, type ListView } from '../list-view.ts';

export type Selection = Selected<User>;

const NONE: Selection = new Map();

/** Empty in another list: after a change of the filter or the order. */
export function useSelection(view: ListView): [Selection, (selection: Selection) => void] {
  const list = apiPath({ ...view, cursor: null });
  const [{ of, selected }, setSelection] = useState({ of: list, selected: NONE });
  return [of === list ? selected : NONE, (chosen) => setSelection({ of: list, selected: chosen })];
}

export function toSelection(users: readonly User[]): Selection {
  return new Map(users.map((user) => [user.id, user]));
}

/** Returns the selected users; those of the page as they are on it. */
export function listSelected(selected: Selection, page: readonly User[]): User[] {
  const present = toSelection(page);
  return [...selected.values()].map((user) => present.get(user.id) ?? user);
}
