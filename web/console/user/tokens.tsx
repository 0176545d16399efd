/** The valid tokens of the user. */
import { useState } from 'preact/hooks';
import type { UserToken } from '../../common/api-types.ts';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { RecordList } from '../records/record-list.tsx';
import type { Column } from '../records/record-table.tsx';
import { type Selected, SelectionBar } from '../records/selection.tsx';
import { type Pages, usePages } from '../records/use-pages.ts';
import { mayChange } from '../permissions.ts';
import { userPath } from '../users/record.tsx';
import { RevokeTokens } from './revoke-tokens.tsx';
import { formatToken, toTitle } from './token-text.ts';
import type { UserSection } from './user-section.ts';

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
  const { user, revision } = section;
  const pages = usePages<UserToken>(`${userPath(user.id)}/tokens`, {}, revision);
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

interface TokenListProps extends Pick<UserSection, 'user'> {
  readonly pages: Pages<UserToken>;
  readonly onRevoke: (tokens: readonly UserToken[]) => void;
}

function TokenList({ user, pages, onRevoke }: TokenListProps) {
  const [selected, onSelect] = useState<Selected<UserToken>>(new Map());
  const tokens = pages.shown?.items ?? [];
  const chosen = tokens.filter(({ id }) => selected.has(id));
  const isSelectable = tokens.length > 1 && mayChange(user, 'tokens:write');
  return (
    <>
      <RecordList
        label="Tokens of the user"
        class="tokens"
        nouns={['token', 'tokens']}
        pages={pages}
        columns={listColumns(user, (token) => onRevoke([token]))}
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

function listColumns(
  user: UserSection['user'],
  onRevoke: (token: UserToken) => void,
): readonly Column<UserToken>[] {
  if (!mayChange(user, 'tokens:write')) return COLUMNS;
  return [
    ...COLUMNS,
    {
      title: 'Action',
      class: 'num state-cell',
      render: (token) => (
        <button
          type="button"
          class="compact plain"
          aria-label={`Revoke ${formatToken(token)}`}
          onClick={() => onRevoke(token)}
        >
          Revoke…
        </button>
      ),
    },
  ];
}
