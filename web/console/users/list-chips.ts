/** The chips of the filters that the bar does not show itself. */
import { formatUtcDay } from '../../common/short-time.ts';
import { formatTime } from '../../common/time.tsx';
import type { Chip } from '../list/chips.tsx';
import { getLastDay } from '../list/time-range.tsx';
import { STATES } from '../user-record.tsx';
import { type ListView, linkTo, splitCondition, type UserFilter, VERIFIED } from './list-view.ts';

const TIMES = {
  created_from: 'Created from',
  created_to: 'Created until',
  last_login_from: 'Last login from',
  last_login_to: 'Last login until',
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
  if (view.level !== null) chips.push(toChip('Level', view.level, { level: null }));
  for (const member of Object.keys(TIMES) as (keyof typeof TIMES)[]) {
    const value = view[member];
    if (value !== null)
      chips.push(toChip(TIMES[member], formatLimit(value, member.endsWith('_to')), { [member]: null }));
  }
  if (view.metadata !== null) {
    const { member, text } = splitCondition(view.metadata);
    chips.push(toChip(member, text, { metadata: null }));
  }
  return chips;
}

const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The end of a span is not included: of days, the one before is its last. */
function formatLimit(limit: string, isEnd: boolean): string {
  if (!IS_DAY.test(limit)) return formatTime(limit);
  return formatUtcDay(isEnd ? getLastDay(limit) : limit, new Date());
}
