/** Filters by a member of metadata. */
import { useId, useState } from 'preact/hooks';
import { Dropdown } from '../list/dropdown.tsx';

/** Divides a condition of metadata at its first colon. */
export function splitCondition(condition: string): { readonly member: string; readonly text: string } {
  const [member = '', ...rest] = condition.split(':');
  return { member, text: rest.join(':') };
}

interface MetadataFilterProps {
  /** Member, colon and text. */
  readonly condition: string | null;
  readonly onCondition: (condition: string | null) => void;
}

/** A menu with the fields of the condition. */
export function MetadataFilter(props: MetadataFilterProps) {
  return (
    <Dropdown icon="filter" label="Metadata">
      <Fields {...props} />
    </Dropdown>
  );
}

function Fields({ condition, onCondition }: MetadataFilterProps) {
  const [memberId, textId] = [useId(), useId()];
  const given = condition === null ? null : splitCondition(condition);
  const [member, setMember] = useState(given?.member ?? '');
  const apply = (name: string, text: string) => onCondition(text === '' ? null : `${name}:${text}`);
  return (
    <div class="choice-panel">
      <div class="field">
        <label for={memberId}>Member</label>
        <input
          id={memberId}
          value={member}
          placeholder="app_metadata.plan"
          autocomplete="off"
          onChange={({ currentTarget }) => {
            setMember(currentTarget.value);
            if (given !== null) apply(currentTarget.value, given.text);
          }}
        />
      </div>
      <div class="field">
        <label for={textId}>Text, exactly</label>
        <input
          id={textId}
          value={given?.text ?? ''}
          autocomplete="off"
          onChange={({ currentTarget }) => apply(member, currentTarget.value)}
        />
      </div>
    </div>
  );
}
