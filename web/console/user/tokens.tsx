/** The valid tokens of the user, and the dialog that revokes one or several. */
import { useState } from 'preact/hooks';
import { ApiError } from '../../common/api.ts';
import type { UserToken } from '../../common/api-types.ts';
import { Button, formatCount, Panel } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import type { Column } from '../records/record-table.tsx';
import { RemovableList } from '../records/removable-list.tsx';
import { usePages } from '../records/use-pages.ts';
import { mayChange, request } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, type UserDialog, type UserSection, users } from '../users/record.tsx';

const COLUMNS: readonly Column<UserToken>[] = [
  {
    title: 'Device or name',
    isMain: true,
    getHint: ({ scopes }) => scopes.join(', '),
    render: (token) => (
      <>
        <bdi>{toTitle(token)}</bdi>
        {token.first_characters !== null && <code class="begin">{token.first_characters}…</code>}
      </>
    ),
  },
  {
    title: 'Network',
    render: ({ last_used_network, network }) => {
      const latest = last_used_network ?? network;
      return latest && <bdi>{latest}</bdi>;
    },
  },
  { title: 'Last used', render: ({ last_used_at }) => <ShortTime at={last_used_at} /> },
  { title: 'Created', class: 'wide', render: ({ created_at }) => <ShortTime at={created_at} /> },
  { title: 'Expires', render: ({ expires_at }) => <ShortTime at={expires_at} /> },
];

export function Tokens(section: UserSection) {
  const { record: user, revision } = section;
  const pages = usePages<UserToken>(users.pathTo(user.id, '/tokens'), {}, revision);
  const [revoked, setRevoked] = useState<readonly UserToken[] | null>(null);
  const tokens = pages.shown?.items ?? [];
  const heading = useKeptFocus<HTMLHeadingElement>(pages.shown?.items.length);
  const isChangeable = mayChange(user, 'tokens:write');
  const all = tokens.length > 1 && isChangeable && (
    <Button text="Revoke all…" class="compact end" onClick={() => setRevoked(tokens)} />
  );
  return (
    <Panel title="Devices and tokens" id="tokens" heading={heading} beside={all}>
      <RemovableList
        label="Tokens of the user"
        class="tokens"
        nouns={['token', 'tokens']}
        pages={pages}
        columns={COLUMNS}
        empty={<p>The user has no valid token.</p>}
        verb="Revoke"
        getName={formatToken}
        isChangeable={isChangeable}
        onRemove={setRevoked}
      />
      {revoked && (
        <RevokeTokens
          {...section}
          tokens={revoked}
          areAll={revoked.length > 1 && revoked.length === tokens.length}
          onClose={() => setRevoked(null)}
        />
      )}
    </Panel>
  );
}

interface RevokeTokensProps extends UserDialog {
  readonly tokens: readonly UserToken[];
  /** Whether the user has no others. Those that were created meanwhile are revoked, too. */
  readonly areAll: boolean;
}

function RevokeTokens({ record: user, tokens, areAll, onChange, onClose }: RevokeTokensProps) {
  const [revoked, setRevoked] = useState(0);
  const { what, verb, done } = describeTokens(tokens, areAll, toLabel(user));
  const path = users.pathTo(user.id, '/tokens');
  const revoke = async () => {
    if (areAll) await request(path, { method: 'DELETE' });
    else await revokeEach(path, tokens, setRevoked).finally(onChange);
    announce(done);
    if (areAll) onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke ${what}?`}
      verb={verb}
      failure={revoked === 0 ? 'Nothing was revoked' : `Only ${revoked} of ${tokens.length} were revoked`}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        Clients that use {tokens.length === 1 ? 'it' : 'them'} are signed out at once. The user can sign in
        again. This cannot be undone.
      </p>
      {tokens.length > 0 && <TokenNames tokens={tokens} />}
    </ConfirmDialog>
  );
}

/** Revokes all tokens of the user, whose number is not known here, and ends the sessions in browsers. */
export function RevokeAll(dialog: UserDialog) {
  return <RevokeTokens {...dialog} tokens={[]} areAll />;
}

/** Names the tokens to revoke, in the title, the button and the message. */
function describeTokens(tokens: readonly UserToken[], areAll: boolean, owner: string) {
  const [first] = tokens;
  if (areAll) {
    const what = `all ${tokens.length === 0 ? '' : `${formatCount(tokens.length)} `}tokens of ${owner}`;
    return { what, verb: 'Revoke all tokens', done: `All tokens of ${owner} were revoked.` };
  }
  if (tokens.length === 1) {
    const what = formatToken(first!);
    return { what, verb: 'Revoke token', done: `${what} was revoked.` };
  }
  const count = `${formatCount(tokens.length)} tokens`;
  return {
    what: `${count} of ${owner}`,
    verb: `Revoke ${count}`,
    done: `${count} of ${owner} were revoked.`,
  };
}

/** A token that is not there any more is revoked already. */
async function revokeEach(
  path: string,
  tokens: readonly UserToken[],
  onProgress: (revoked: number) => void,
): Promise<void> {
  for (const [index, { id }] of tokens.entries()) {
    await request(`${path}/${id}`, { method: 'DELETE' }).catch((error) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
    onProgress(index + 1);
  }
}

function TokenNames({ tokens }: { readonly tokens: readonly UserToken[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it
    <ul class="affected" aria-label="Tokens" tabIndex={0}>
      {tokens.map((token) => (
        <li key={token.id}>
          <bdi>{formatToken(token)}</bdi>
          <span class="muted">
            last used: <ShortTime at={token.last_used_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The name of all tokens from sign-ins. */
const SESSION = 'auth_token';

/** Sessions are recognised by their device, tokens of programs by their name. */
function toTitle({ name, device }: UserToken): string {
  if (device === null) return name === SESSION ? 'Unknown device' : name;
  return name === SESSION ? device : `${name}, ${device}`;
}

/** Returns the title with the first characters, by which tokens of one name differ. */
function formatToken(token: UserToken): string {
  const { first_characters } = token;
  return first_characters === null ? toTitle(token) : `${toTitle(token)} (${first_characters}…)`;
}
