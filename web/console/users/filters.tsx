/** The filters of the list of users. */
import { useState } from 'preact/hooks';
import { useGroups } from '../groups/record.ts';
import { Choice, Dropdown } from '../records/controls.tsx';
import { choiceField, dayField, ExactField, searchField, textField } from '../records/filter-fields.tsx';
import { createFilters, splitCondition } from '../records/filters.tsx';
import { type ListView, readOrder, toParameters } from './columns.tsx';
import { STATES, users } from './record.tsx';

export const userFilters = createFilters(
  users.page,
  [
    searchField('search', { label: 'Search', placeholder: 'Part of a name or email, id or token' }),
    choiceField('state', { label: 'State', options: STATES }),
    choiceField('role', {
      label: 'Role',
      options: { owner: 'Owner', support: 'Support', auditor: 'Auditor' },
    }),
    choiceField('verified', { label: 'Email', options: { true: 'Verified', false: 'Not verified' } }),
    dayField('Created', ['created_from', 'created_to']),
    dayField('Last sign-in', ['last_login_from', 'last_login_to']),
    textField('level', 'Level'),
    {
      parameters: { group: { chip: 'Group' } },
      Control: ({ filter, onFilter }) => (
        <GroupFilter name={filter.group ?? ''} onName={(group) => onFilter({ group })} />
      ),
    },
    {
      parameters: {
        metadata: {
          getChip: (condition) => splitCondition(condition).label,
          format: (condition) => splitCondition(condition).value,
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

/** Nothing while the service has no groups. */
function GroupFilter({ name, onName }: Readonly<{ name: string; onName: (name: string | null) => void }>) {
  const [loaded] = useGroups();
  const titles = loaded.data?.map((group) => [group.name, group.title]) ?? [];
  if (titles.length === 0 && name === '') return null;
  const options = { '': 'All', [name]: name || 'All', ...Object.fromEntries(titles) };
  return (
    <Choice label="Group" value={name} options={options} onChoose={(chosen) => onName(chosen || null)} />
  );
}

interface MetadataFilterProps {
  /** Member, colon and text. */
  readonly condition: string | null;
  readonly onCondition: (condition: string | null) => void;
}

/** A menu with the fields of the condition. */
function MetadataFilter({ condition, onCondition }: MetadataFilterProps) {
  const given = condition === null ? null : splitCondition(condition);
  const [member, setMember] = useState(given?.label ?? '');
  const apply = (name: string, text: string) => onCondition(text === '' ? null : `${name}:${text}`);
  return (
    <Dropdown icon="filter" label="Metadata">
      <div class="choice-panel">
        <ExactField
          label="Member"
          value={member}
          placeholder="app_metadata.plan"
          onValue={(name) => {
            setMember(name);
            if (given !== null) apply(name, given.value);
          }}
        />
        <ExactField
          label="Text, exactly"
          value={given?.value ?? ''}
          onValue={(text) => apply(member, text)}
        />
      </div>
    </Dropdown>
  );
}
