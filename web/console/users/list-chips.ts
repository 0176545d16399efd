/** The chips of the filters that the bar does not show itself. */
import type { Chip } from '../list/chips.tsx';
import { STATES } from '../user-record.tsx';
import { type ListView, linkTo, splitCondition, type UserFilter, VERIFIED } from './list-view.ts';

const NAMES = {
  level: 'Level',
  created_from: 'Created from',
  created_to: 'Created before',
  last_login_from: 'Last login from',
  last_login_to: 'Last login before',
} as const satisfies Partial<Record<keyof UserFilter, string>>;

export function listChips(view: ListView): Chip[] {
  const toChip = (name: string, value: string, without: Partial<UserFilter>): Chip => ({
    name,
    value,
    without: linkTo({ ...view, ...without, cursor: null }),
  });
  const { state, verified } = view;
  const chips = state === null ? [] : [toChip('State', STATES[state], { state: null })];
  if (verified !== null)
    chips.push(toChip('Email', VERIFIED[verified as keyof typeof VERIFIED], { verified: null }));
  for (const member of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
    const value = view[member];
    if (value !== null) chips.push(toChip(NAMES[member], value, { [member]: null }));
  }
  if (view.metadata !== null) {
    const { member, text } = splitCondition(view.metadata);
    chips.push(toChip(member, text, { metadata: null }));
  }
  return chips;
}
