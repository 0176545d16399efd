/** Merges another account of the same person into this one, or this one into it, with what happens to each part. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import { Button } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { CloseButton, Dialog } from '../../common/dialog.tsx';
import { Check, Options } from '../../common/form.tsx';
import { navigate } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { toggleItem } from '../records/record-form.tsx';
import { ifMatch, orReload } from '../records/requests.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { STATES, toLabel, type UserDialog, users } from '../users/record.tsx';
import { UserSearch } from '../users/user-search.tsx';
import { FIELD_NAMES, FIELDS } from './conflict.tsx';

export function MergeUsers(dialog: UserDialog) {
  const [other, setOther] = useState<User | null>(null);
  if (other !== null) return <ConfirmMerge {...dialog} other={other} />;
  const { record: user, onClose } = dialog;
  // Duplicates often have the same name.
  return (
    <Dialog title={`Merge ${toLabel(user)} with…`} onClose={onClose}>
      <div class="stack tight">
        <UserSearch
          label="The other account of this person"
          initial={user.name ?? ''}
          isOffered={({ id }) => id !== user.id}
          onFound={setOther}
        />
        <CloseButton text="Cancel" onClose={onClose} />
      </div>
    </Dialog>
  );
}

function ConfirmMerge({ record: user, onChange, onClose, other }: UserDialog & { readonly other: User }) {
  const [isSwapped, setSwapped] = useState(false);
  const [take, setTake] = useState<readonly string[]>(['identities', 'submissions']);
  const [metadata, setMetadata] = useState('keep');
  const [target, from] = isSwapped ? [other, user] : [user, other];
  const merge = async () => {
    const headers = ifMatch(target);
    const body = { from: from.id, take, metadata };
    await orReload(request(users.pathTo(target.id, '/merge'), { method: 'POST', headers, body }), onChange);
    announce(`${toLabel(from)} was merged into ${toLabel(target)}.`);
    onClose();
    if (isSwapped) navigate(`/console/users/${target.id}`, { replace: true });
    else onChange();
  };
  const toggle = (name: string) => () => setTake(toggleItem(take, name));
  return (
    <ConfirmDialog
      title={`Merge ${toLabel(from)} into ${toLabel(target)}?`}
      verb="Merge accounts"
      failure="The accounts were not merged"
      expected={{ label: `Type ${toLabel(from)} to confirm`, text: toLabel(from) }}
      onConfirm={merge}
      onClose={onClose}
    >
      <p>
        <bdi>{toLabel(from)}</bdi> is erased, with everything that is not taken over. Links that were sent to
        either stop working, and both verified addresses get a notice. This cannot be undone.
      </p>
      <div class="row">
        <Button
          text="Keep the other account instead"
          class="compact"
          onClick={() => setSwapped(!isSwapped)}
        />
      </div>
      <SideBySide {...{ target, from, take, toggle }} />
      <Choices {...{ take, toggle, metadata, setMetadata }} />
    </ConfirmDialog>
  );
}

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

function SideBySide({ target, from, take, toggle }: TakeProps & Readonly<Record<'target' | 'from', User>>) {
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

function Choices({ take, toggle, metadata, setMetadata }: ChoicesProps) {
  return (
    <>
      {Object.entries(ROWS).map(([name, [title, effect]]) => (
        <Check
          key={name}
          text={
            <span class="small">
              {title} {effect}
            </span>
          }
          isChecked={take.includes(name)}
          onChecked={toggle(name)}
        />
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
