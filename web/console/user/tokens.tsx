/** The valid tokens of the user. */
import { useState } from 'preact/hooks';
import type { User, UserToken } from '../../common/api-types.ts';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { mayChange } from '../permissions.ts';
import type { RecordAction } from '../records/record-actions.tsx';
import { RecordList } from '../records/record-list.tsx';
import type { Column } from '../records/record-table.tsx';
import { type Selected, SelectionBar } from '../records/selection.tsx';
import { type Pages, usePages } from '../records/use-pages.ts';
import { type UserSection, users } from '../users/record.tsx';
import { formatToken, RevokeTokens, toTitle } from './revoke-tokens.tsx';

const COLUMNS: readonly Column<UserToken>[] = [
  {
    title: 'Device or name',
    isMain: true,
    getHint: ({ scopes }) => scopes.join(', '),
    render: (token) => (
      <>
        <bdi translate={false}>{toTitle(token)}</bdi>
        {token.first_characters !== null && (
          <code translate={false} class="begin">
            {token.first_characters}…
          </code>
        )}
      </>
    ),
  },
  {
    title: 'Network',
    render: ({ last_used_network, network }) => {
      const latest = last_used_network ?? network;
      return latest && <bdi translate={false}>{latest}</bdi>;
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
  const tokens = pages.shown?.items;
  const heading = useKeptFocus<HTMLHeadingElement>(tokens?.length);
  return (
    <section class="panel" aria-labelledby="tokens">
      <header>
        <h2 id="tokens" ref={heading} tabIndex={-1}>
          Devices and tokens
        </h2>
        {tokens !== undefined && tokens.length > 1 && mayChange(user, 'tokens:write') && (
          <button type="button" class="compact end" onClick={() => setRevoked(tokens)}>
            Revoke all…
          </button>
        )}
      </header>
      <TokenList user={user} pages={pages} onRevoke={setRevoked} />
      {revoked && (
        <RevokeTokens
          {...section}
          tokens={revoked}
          areAll={revoked.length > 1 && revoked.length === tokens?.length}
          onClose={() => setRevoked(null)}
        />
      )}
    </section>
  );
}

interface TokenListProps {
  readonly user: User;
  readonly pages: Pages<UserToken>;
  readonly onRevoke: (tokens: readonly UserToken[]) => void;
}

function TokenList({ user, pages, onRevoke }: TokenListProps) {
  const [selected, onSelect] = useState<Selected<UserToken>>(new Map());
  const tokens = pages.shown?.items ?? [];
  const chosen = tokens.filter(({ id }) => selected.has(id));
  const revoke: RecordAction<UserToken> = {
    label: 'Revoke…',
    getName: (token) => `Revoke ${formatToken(token)}`,
    onStart: (token) => onRevoke([token]),
  };
  const isSelectable = tokens.length > 1 && mayChange(user, 'tokens:write');
  return (
    <>
      <RecordList
        label="Tokens of the user"
        class="tokens"
        nouns={['token', 'tokens']}
        pages={pages}
        columns={COLUMNS}
        actions={mayChange(user, 'tokens:write') ? [revoke] : undefined}
        selection={
          isSelectable ? { label: 'Select all tokens', getName: formatToken, selected, onSelect } : undefined
        }
        isInPanel
        empty={<p>The user has no valid token.</p>}
      />
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          actions={{ revoke: 'Revoke…' }}
          onStart={() => onRevoke(chosen)}
          onClear={() => onSelect(new Map())}
        />
      )}
    </>
  );
}
