/** The valid tokens of the user. */
import { useState } from 'preact/hooks';
import type { UserToken } from '../../common/api-types.ts';
import { Panel } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import type { Column } from '../records/record-table.tsx';
import { RemovableList } from '../records/removable-list.tsx';
import { usePages } from '../records/use-pages.ts';
import { mayChange } from '../session.ts';
import { type UserSection, users } from '../users/record.tsx';
import { formatToken, RevokeTokens, toTitle } from './revoke-tokens.tsx';

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
    <button type="button" class="compact end" onClick={() => setRevoked(tokens)}>
      Revoke all…
    </button>
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
