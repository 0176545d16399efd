/** The valid tokens of the user. */
import { useState } from 'preact/hooks';
import type { UserToken } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { may } from '../permissions.ts';
import { request, useView } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, userPath } from '../user-record.tsx';
import type { UserSection } from './user-section.ts';

export function Tokens(section: UserSection) {
  const { user, revision } = section;
  const [loaded, retry] = useView<{ data: readonly UserToken[] }>(`${userPath(user.id)}/tokens`, revision);
  const [revoked, setRevoked] = useState<UserToken | 'all' | null>(null);
  const tokens = loaded.data?.data;
  const heading = useKeptFocus<HTMLHeadingElement>(tokens?.length);
  return (
    <section class="panel" aria-labelledby="tokens">
      <header>
        <h2 id="tokens" ref={heading} tabIndex={-1}>
          Tokens
        </h2>
        {tokens !== undefined && tokens.length > 1 && may('tokens:write') && (
          <button type="button" class="compact end" onClick={() => setRevoked('all')}>
            Revoke all …
          </button>
        )}
      </header>
      {loaded.state === 'failed' && (
        <Failure what="The tokens could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && tokens === undefined && <Loading what="the tokens" />}
      {tokens?.length === 0 && <p>The user has no valid token and is not logged in.</p>}
      {tokens !== undefined && tokens.length > 0 && <TokenTable tokens={tokens} onRevoke={setRevoked} />}
      {revoked && <RevokeDialog {...section} token={revoked} onClose={() => setRevoked(null)} />}
    </section>
  );
}

const CLASSES: Readonly<Record<string, string>> = { Action: 'num', Created: 'wide' };
const COLUMNS = ['Device or name', 'Network', 'Last used', 'Created', 'Expires', 'Action'];

interface TokenTableProps {
  readonly tokens: readonly UserToken[];
  readonly onRevoke: (token: UserToken) => void;
}

function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  return (
    <table class="tokens records cards" aria-label="Tokens of the user">
      <thead>
        <tr>
          {COLUMNS.filter((title) => title !== 'Action' || may('tokens:write')).map((title) => (
            <th key={title} scope="col" class={CLASSES[title]}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={onRevoke} />
        ))}
      </tbody>
    </table>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: UserToken } & Pick<TokenTableProps, 'onRevoke'>) {
  const { first_characters, scopes, created_at, last_used_at, expires_at } = token;
  const network = token.last_used_network ?? token.network;
  return (
    <tr>
      <td class="main-cell" title={scopes.join(', ')}>
        <bdi>{toTitle(token)}</bdi>
        {first_characters !== null && <code class="begin">{first_characters}…</code>}
      </td>
      <td data-label="Network">{network === null ? <span class="none">–</span> : <bdi>{network}</bdi>}</td>
      <td data-label="Last used">
        <ShortTime at={last_used_at} />
      </td>
      <td class="wide" data-label="Created">
        <ShortTime at={created_at} />
      </td>
      <td data-label="Expires">
        <ShortTime at={expires_at} />
      </td>
      {may('tokens:write') && (
        <td class="num state-cell">
          <button
            type="button"
            class="compact plain"
            aria-label={`Revoke ${formatToken(token)}`}
            onClick={() => onRevoke(token)}
          >
            Revoke …
          </button>
        </td>
      )}
    </tr>
  );
}

/** The name of all tokens from logins. */
const SESSION = 'auth_token';

/** Sessions are recognised by their device, tokens of programs by their name. */
function toTitle({ name, device }: UserToken): string {
  if (device === null) return name;
  return name === SESSION ? device : `${name}, ${device}`;
}

function formatToken(token: UserToken): string {
  const { first_characters } = token;
  return first_characters === null ? toTitle(token) : `${toTitle(token)} (${first_characters}…)`;
}

interface RevokeDialogProps extends UserSection {
  readonly token: UserToken | 'all';
  readonly onClose: () => void;
}

function RevokeDialog({ user, token, onChange, onClose }: RevokeDialogProps) {
  const what = token === 'all' ? `all tokens of ${toLabel(user)}` : formatToken(token);
  const revoke = async () => {
    const path = `${userPath(user.id)}/tokens`;
    await request(token === 'all' ? path : `${path}/${token.id}`, { method: 'DELETE' });
    announce(token === 'all' ? `All tokens of ${toLabel(user)} were revoked.` : `${what} was revoked.`);
    onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke ${what}?`}
      verb={`Revoke ${token === 'all' ? 'all tokens' : toTitle(token)}`}
      failure="Nothing was revoked"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        Clients that use {token === 'all' ? 'them' : 'it'} are logged out at once. The user can log in again.
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
