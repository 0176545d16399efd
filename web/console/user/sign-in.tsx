/** How the user signs in: two-step sign-in, passkeys, and accounts at identity providers. */
import { useState } from 'preact/hooks';
import type { Identity, UserPasskey, UserSession } from '../../common/api-types.ts';
import { Button, Fact, LoadState, Panel } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { ConfirmAction, type RecordAction } from '../records/record-actions.tsx';
import { type Column, RecordList, usePages } from '../records/record-list.tsx';
import { may, mayChange, request, useData } from '../session.ts';
import { toLabel, type UserDialog, type UserSection, users } from '../users/record.tsx';

export function SignInWays(section: UserSection) {
  const { record: user, revision } = section;
  const path = users.pathTo(user.id, '/identities');
  const [loaded, retry] = useData<readonly Identity[]>(path, revision);
  const [found, retryPasskeys] = useData<readonly UserPasskey[]>(
    users.pathTo(user.id, '/passkeys'),
    revision,
  );
  const [open, setOpen] = useState<Way | null>(null);
  const identities = loaded.data ?? [];
  const passkeys = found.data ?? [];
  const heading = useKeptFocus<HTMLHeadingElement>(
    `${user.totp_enabled_at} ${passkeys.length} ${identities.length}`,
  );
  return (
    <Panel title="Sign-in" id="sign-in" heading={heading}>
      <dl class="facts">
        <Fact name="Two-step">
          {user.totp_enabled_at === null ? (
            'off'
          ) : (
            <>
              on since <ShortTime at={user.totp_enabled_at} />{' '}
              <Change name="Remove two-step sign-in" text="Remove…" onClick={() => setOpen('totp')} />
            </>
          )}
        </Fact>
        {passkeys.map((passkey) => (
          <Fact key={passkey.id} name="Passkey">
            <bdi>{passkey.name}</bdi>
            {passkey.is_synced && ' (synced)'}, made <ShortTime at={passkey.created_at} />, last used{' '}
            <ShortTime at={passkey.last_used_at} />{' '}
            <Change name={`Remove ${passkey.name}`} text="Remove…" onClick={() => setOpen(passkey)} />
          </Fact>
        ))}
        {identities.map((identity) => (
          <Fact key={identity.id} name={getName(identity)}>
            <bdi>{identity.email ?? identity.subject}</bdi>, last used{' '}
            <ShortTime at={identity.last_used_at} />{' '}
            <Change name={`Unlink ${getName(identity)}`} text="Unlink…" onClick={() => setOpen(identity)} />
          </Fact>
        ))}
      </dl>
      <LoadState loaded={found} what="the passkeys" retry={retryPasskeys} />
      <LoadState loaded={loaded} what="the identities" retry={retry} />
      {open && <RemoveWay {...section} way={open} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

/** Identities stay when their provider is deleted. */
function getName({ provider, issuer }: Identity): string {
  return provider ?? new URL(issuer).host;
}

function Change({ name, text, onClick }: Readonly<{ name: string; text: string; onClick: () => void }>) {
  if (!may('users:write')) return null;
  return <Button text={text} class="link" aria-label={name} onClick={onClick} />;
}

type Way = Identity | UserPasskey | 'totp';
type RemoveWayProps = UserDialog & { readonly way: Way };

function RemoveWay({ record: user, way, ...dialog }: RemoveWayProps) {
  const { path, text, ...texts } = describeRemoval(way, toLabel(user));
  const remove = () => request(users.pathTo(user.id, `/${path}`), { method: 'DELETE' });
  return (
    <ConfirmAction {...dialog} {...texts} failure="Nothing was changed" act={remove}>
      <p>{text}</p>
    </ConfirmAction>
  );
}

function describeRemoval(way: Way, owner: string) {
  if (way === 'totp')
    return {
      path: 'totp',
      title: `Remove two-step sign-in of ${owner}?`,
      verb: 'Remove two-step sign-in',
      done: `Two-step sign-in of ${owner} was removed.`,
      text: 'For a person who has lost their phone and the recovery codes: make sure that it was they who asked. They sign in without a code then, and get a notice by email.',
    };
  if ('credential_id' in way)
    return {
      path: `passkeys/${way.id}`,
      title: `Remove ${way.name} from ${owner}?`,
      verb: 'Remove passkey',
      done: `${way.name} was removed from ${owner}.`,
      text: 'For a person who has lost a device or security key: make sure that it was they who asked. They can no longer sign in with this passkey, and get a notice by email. Sessions and tokens stay.',
    };
  const name = getName(way);
  return {
    path: `identities/${way.id}`,
    title: `Unlink ${name} from ${owner}?`,
    verb: 'Unlink',
    done: `${name} was unlinked from ${owner}.`,
    text: `The user can no longer sign in as ${way.email ?? way.subject} at ${name}. Sessions and tokens stay: revoke them, too, if somebody else has signed in with it.`,
  };
}

const toBrowser = ({ device }: UserSession) => device ?? 'Unknown browser';

const COLUMNS: readonly Column<UserSession>[] = [
  { title: 'Browser', isMain: true, render: (session) => <bdi>{toBrowser(session)}</bdi> },
  { title: 'Network', render: ({ network }) => network && <bdi>{network}</bdi> },
  { title: 'Last used', render: ({ last_used_at }) => <ShortTime at={last_used_at} /> },
  { title: 'Signed in', class: 'wide', render: ({ created_at }) => <ShortTime at={created_at} /> },
  { title: 'Ends', render: ({ expires_at }) => <ShortTime at={expires_at} /> },
];

export function Sessions(section: UserSection) {
  const { record: user, revision, onChange } = section;
  const pages = usePages<UserSession>(users.pathTo(user.id, '/sessions'), {}, revision);
  const [ended, setEnded] = useState<UserSession | null>(null);
  const heading = useKeptFocus<HTMLHeadingElement>(pages.shown?.items.length);
  const end: RecordAction<UserSession> = {
    label: 'Sign out…',
    getName: (session) => `Sign out of ${toBrowser(session)}`,
    onStart: setEnded,
  };
  return (
    <Panel title="Browsers" id="sessions" heading={heading}>
      <RecordList
        label="Sessions of the user"
        nouns={['session', 'sessions']}
        pages={pages}
        columns={COLUMNS}
        actions={mayChange(user, 'tokens:write') ? [end] : undefined}
        isInPanel
        empty={<p>No browser is signed in to the pages of this service.</p>}
      />
      {ended && (
        <ConfirmAction
          title={`Sign ${toLabel(user)} out of ${toBrowser(ended)}?`}
          verb="Sign out"
          failure="The session was not ended"
          act={() => request(users.pathTo(user.id, `/sessions/${ended.id}`), { method: 'DELETE' })}
          done={`${toLabel(user)} is signed out of ${toBrowser(ended)}.`}
          onChange={onChange}
          onClose={() => setEnded(null)}
        >
          <p>Tokens that applications got in this session are revoked, too. The user can sign in again.</p>
        </ConfirmAction>
      )}
    </Panel>
  );
}
