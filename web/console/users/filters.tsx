/** The filters of the list of users. */
import { choiceField, dayField, searchField, textField } from '../records/filter-fields.tsx';
import { createFilters } from '../records/filters.tsx';
import { STATES } from './record.tsx';
import { type ListView, readOrder, toParameters, USERS } from './list-view.ts';
import { MetadataFilter, splitCondition } from './metadata-filter.tsx';

export const userFilters = createFilters(
  USERS,
  [
    searchField('search', { label: 'Search', placeholder: 'Part of a name or email, id or token' }),
    choiceField('state', { label: 'State', options: STATES }),
    choiceField('role', {
      label: 'Role',
      options: { owner: 'Owner', support: 'Support', auditor: 'Auditor' },
    }),
    choiceField('verified', { label: 'Email', options: { true: 'Verified', false: 'Not verified' } }),
    dayField('Created', ['created_from', 'created_to']),
    dayField('Last login', ['last_login_from', 'last_login_to']),
    textField('level', 'Level'),
    {
      parameters: {
        metadata: {
          getChip: (condition) => splitCondition(condition).member,
          format: (condition) => splitCondition(condition).text,
        },
      },
      Control: ({ filter, onFilter }) => (
        <MetadataFilter
          key={filter.metadata}
          condition={filter.metadata ?? null}
          onCondition={(metadata) => onFilter({ metadata })}
        />
      ),
    },
  ],
  () => toParameters({ ...readOrder(), cursor: null }),
);

export function readView(): ListView {
  return { filter: userFilters.read(), ...readOrder() };
}
