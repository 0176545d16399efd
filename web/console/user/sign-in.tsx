/** How the user signs in: two-step sign-in, and accounts at identity providers. */
import { useState } from 'preact/hooks';
import type { Identity } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { LoadState, Panel } from '../../common/panel.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { Fact } from '../records/facts.tsx';
import { may } from '../permissions.ts';
import { request, useView } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, userPath } from '../users/record.tsx';
import type { UserSection } from './user-section.ts';

export function SignInWays(section: UserSection) {
  const { user, revision } = section;
  const path = `${userPath(user.id)}/identities`;
  const [loaded, retry] = useView<{ data: readonly Identity[] }>(path, revision);
  const [open, setOpen] = useState<'totp' | Identity | null>(null);
  const identities = loaded.data?.data ?? [];
  const heading = useKeptFocus<HTMLHeadingElement>(`${user.totp_enabled_at} ${identities.length}`);
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
        {identities.map((identity) => (
          <Fact key={identity.id} name={getName(identity)}>
            <bdi>{identity.email ?? identity.subject}</bdi>, last used{' '}
            <ShortTime at={identity.last_used_at} />{' '}
            <Change name={`Unlink ${getName(identity)}`} text="Unlink…" onClick={() => setOpen(identity)} />
          </Fact>
        ))}
      </dl>
      <LoadState loaded={loaded} what="the identities" retry={retry} />
      {open && <RemoveWay {...section} way={open} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

/** Identities stay when their provider is deleted. */
function getName({ provider, issuer }: Identity): string {
  return provider ?? new URL(issuer).host;
}

interface ChangeProps {
  readonly name: string;
  readonly text: string;
  readonly onClick: () => void;
}

function Change({ name, text, onClick }: ChangeProps) {
  if (!may('users:write')) return null;
  return (
    <button type="button" class="link" aria-label={name} onClick={onClick}>
      {text}
    </button>
  );
}

type RemoveWayProps = UserSection & { readonly way: Identity | 'totp'; readonly onClose: () => void };

function RemoveWay({ user, way, onChange, onClose }: RemoveWayProps) {
  const { path, title, verb, done, text } = describeRemoval(way, toLabel(user));
  const remove = async () => {
    await request(`${userPath(user.id)}/${path}`, { method: 'DELETE' });
    announce(done);
    onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      failure="Nothing was changed"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}

function describeRemoval(way: RemoveWayProps['way'], owner: string) {
  if (way === 'totp')
    return {
      path: 'totp',
      title: `Remove two-step sign-in of ${owner}?`,
      verb: 'Remove two-step sign-in',
      done: `Two-step sign-in of ${owner} was removed.`,
      text: 'For a person who has lost their phone and the recovery codes: make sure that it was they who asked. They sign in without a code then, and get a notice by email.',
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
