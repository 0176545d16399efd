/** The valid tokens of the user. */
import { useState } from 'preact/hooks';
import type { UserToken } from '../../common/api-types.ts';
import { Failure, formatCount, Loading } from '../../common/components.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { useKeys } from '../keyboard/use-keys.ts';
import { ClearSelection, type Selected } from '../list/selection.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { userPath } from '../user-record.tsx';
import { RevokeTokens } from './revoke-tokens.tsx';
import { TokenTable } from './token-table.tsx';
import type { UserSection } from './user-section.ts';

export function Tokens(section: UserSection) {
  const { user, revision } = section;
  const [loaded, retry] = useView<{ data: readonly UserToken[] }>(`${userPath(user.id)}/tokens`, revision);
  const [revoked, setRevoked] = useState<readonly UserToken[] | null>(null);
  const [chosen, select] = useState<Selected<UserToken>>(new Map());
  const tokens = loaded.data?.data;
  const selected = (tokens ?? []).filter(({ id }) => chosen.has(id));
  const heading = useKeptFocus<HTMLHeadingElement>(tokens?.length);
  return (
    <section class="panel" aria-labelledby="tokens">
      <header>
        <h2 id="tokens" ref={heading} tabIndex={-1}>
          Tokens
        </h2>
        {tokens !== undefined && tokens.length > 1 && may('tokens:write') && (
          <button type="button" class="compact end" onClick={() => setRevoked(tokens)}>
            Revoke all…
          </button>
        )}
      </header>
      {loaded.state === 'failed' && (
        <Failure what="The tokens could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && tokens === undefined && <Loading what="the tokens" />}
      {tokens?.length === 0 && <p>The user has no valid token and is not logged in.</p>}
      {tokens !== undefined && tokens.length > 0 && (
        <TokenTable
          tokens={tokens}
          selected={chosen}
          onSelect={select}
          onRevoke={(token) => setRevoked([token])}
        />
      )}
      <SelectedTokens tokens={selected} onRevoke={setRevoked} onClear={() => select(new Map())} />
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

interface SelectedTokensProps {
  readonly tokens: readonly UserToken[];
  readonly onRevoke: (tokens: readonly UserToken[]) => void;
  readonly onClear: () => void;
}

/** The bar of the selection, which floats above the page. */
function SelectedTokens({ tokens, onRevoke, onClear }: SelectedTokensProps) {
  const isEmpty = tokens.length === 0;
  useKeys({ Escape: () => (isEmpty ? false : void onClear()) });
  if (isEmpty) return null;
  return (
    <div class="bulk">
      <p id="selection-count">{formatCount(tokens.length)} selected:</p>
      <button
        type="button"
        class="compact"
        aria-describedby="selection-count"
        onClick={() => onRevoke(tokens)}
      >
        Revoke…
      </button>
      <ClearSelection onClear={onClear} />
    </div>
  );
}
