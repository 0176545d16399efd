/** Filters by a member of metadata that the operator has indexed. */
import { useId, useState } from 'preact/hooks';
import { Dropdown } from '../records/controls.tsx';
import { indexedMetadata } from '../session.ts';

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

/** Renders nothing if no member is indexed. */
export function MetadataFilter({ condition, onCondition }: MetadataFilterProps) {
  const members = indexedMetadata.value;
  if (members.length === 0) return null;
  return (
    <Dropdown icon="filter" label="Metadata">
      <Fields members={members} condition={condition} onCondition={onCondition} />
    </Dropdown>
  );
}

function Fields({
  members,
  condition,
  onCondition,
}: MetadataFilterProps & { readonly members: readonly string[] }) {
  const [memberId, textId] = [useId(), useId()];
  const given = condition === null ? null : splitCondition(condition);
  const [member, setMember] = useState(given?.member ?? members[0]!);
  const apply = (name: string, text: string) => onCondition(text === '' ? null : `${name}:${text}`);
  return (
    <div class="choice-panel">
      <div class="field">
        <label for={memberId}>Member</label>
        <select
          id={memberId}
          value={member}
          onChange={({ currentTarget }) => {
            setMember(currentTarget.value);
            if (given !== null) apply(currentTarget.value, given.text);
          }}
        >
          {members.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
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
