/** The users that are selected in a list, on any of its pages. */
import { useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { type Selected, toSelected } from '../../records/selection.tsx';
import { apiPath, type ListView } from '../list-view.ts';

const NONE: Selected<User> = new Map();

/** Empty in another list: after a change of the filter or the order. */
export function useSelection(view: ListView): [Selected<User>, (selected: Selected<User>) => void] {
  const list = apiPath({ ...view, cursor: null });
  const [{ of, selected }, setSelection] = useState({ of: list, selected: NONE });
  return [of === list ? selected : NONE, (chosen) => setSelection({ of: list, selected: chosen })];
}

/** Returns the selected users; those of the page as they are on it. */
export function listSelected(selected: Selected<User>, page: readonly User[]): User[] {
  const present = toSelected(page);
  return [...selected.values()].map((user) => present.get(user.id) ?? user);
}
