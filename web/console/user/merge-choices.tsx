/** What happens to each part of two accounts that are merged. */
import type { ComponentChildren } from 'preact';
import type { User } from '../../common/api-types.ts';
import { Check, Options } from '../../common/form.tsx';
import { ShortTime } from '../../common/time.tsx';
import { STATES } from '../users/record.tsx';
import { FIELD_NAMES, FIELDS } from './conflict.tsx';

const ROWS = {
  identities: ['Identity providers', 'also sign in to the account that stays'],
  submissions: ['Submissions', 'move to the account that stays'],
  sessions: ['Sessions and tokens', 'stay valid for the account that stays; they end otherwise'],
} as const;
const METADATA = {
  keep: 'Keep those of the account that stays',
  take: 'Take those of the other account',
  combine: 'Combine both; where both have one, that of the account that stays',
} as const;

interface TakeProps {
  readonly take: readonly string[];
  readonly toggle: (name: string) => () => void;
}

export function SideBySide({
  target,
  from,
  take,
  toggle,
}: TakeProps & Readonly<Record<'target' | 'from', User>>) {
  return (
    <table class="merge">
      <thead>
        <tr>
          <td />
          <th scope="col">Stays</th>
          <th scope="col">Is erased</th>
          <th scope="col">Take</th>
        </tr>
      </thead>
      <tbody>
        {FIELD_NAMES.map((name) => (
          <Row key={name} name={FIELDS[name]} values={[target[name], from[name]]}>
            {from[name] !== null && from[name] !== target[name] && (
              <input
                type="checkbox"
                aria-label={`Take ${FIELDS[name]}`}
                checked={take.includes(name)}
                onChange={toggle(name)}
              />
            )}
          </Row>
        ))}
        <Row name="State" values={[STATES[target.state], STATES[from.state]]} />
        <Row
          name="Created"
          values={[target, from].map(({ created_at }) => <ShortTime key={created_at} at={created_at} />)}
        />
        <Row
          name="Two-step"
          values={[target, from].map((each) => (each.totp_enabled_at === null ? 'off' : 'on'))}
        />
      </tbody>
    </table>
  );
}

interface ChoicesProps extends TakeProps {
  readonly metadata: string;
  readonly setMetadata: (choice: string) => void;
}

export function Choices({ take, toggle, metadata, setMetadata }: ChoicesProps) {
  return (
    <>
      {Object.entries(ROWS).map(([name, [title, effect]]) => (
        <Check key={name} isChecked={take.includes(name)} onChecked={toggle(name)}>
          <span class="small">
            {title} {effect}
          </span>
        </Check>
      ))}
      <label>
        Metadata
        <select value={metadata} onChange={({ currentTarget }) => setMetadata(currentTarget.value)}>
          <Options options={Object.entries(METADATA)} />
        </select>
      </label>
      <p class="small">Password, two-step sign-in and role are those of the account that stays.</p>
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly values: readonly ComponentChildren[];
  readonly children?: ComponentChildren;
}

function Row({ name, values, children }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {values.map((value, index) => (
        <td key={index}>
          <bdi>{value ?? '–'}</bdi>
        </td>
      ))}
      <td>{children}</td>
    </tr>
  );
}
