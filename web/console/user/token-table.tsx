/** The valid tokens of a user, with a selection. */
import type { UserToken } from '../../common/api-types.ts';
import { ShortTime } from '../../common/time.tsx';
import { SelectAll, SelectCell, type Selected, toggleSelected } from '../list/selection.tsx';
import { may } from '../permissions.ts';
import { formatToken, toTitle } from './token-text.ts';

const CLASSES: Readonly<Record<string, string>> = { Action: 'num', Created: 'wide' };
const COLUMNS = ['Device or name', 'Network', 'Last used', 'Created', 'Expires', 'Action'];

interface TokenTableProps {
  readonly tokens: readonly UserToken[];
  readonly selected: Selected<UserToken>;
  readonly onSelect: (selected: Selected<UserToken>) => void;
  readonly onRevoke: (token: UserToken) => void;
}

export function TokenTable({ tokens, selected, onSelect, onRevoke }: TokenTableProps) {
  const isSelectable = may('tokens:write') && tokens.length > 1;
  return (
    <table class="tokens records cards" aria-label="Tokens of the user">
      <thead>
        <tr>
          {isSelectable && (
            <SelectAll label="Select all tokens" records={tokens} selected={selected} onSelect={onSelect} />
          )}
          {COLUMNS.filter((title) => title !== 'Action' || may('tokens:write')).map((title) => (
            <th key={title} scope="col" class={CLASSES[title]}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            isSelected={selected.has(token.id)}
            onToggle={isSelectable ? () => onSelect(toggleSelected(selected, token)) : undefined}
            onRevoke={onRevoke}
          />
        ))}
      </tbody>
    </table>
  );
}

interface TokenRowProps extends Pick<TokenTableProps, 'onRevoke'> {
  readonly token: UserToken;
  readonly isSelected: boolean;
  /** Undefined: the row cannot be selected. */
  readonly onToggle: (() => void) | undefined;
}

function TokenRow({ token, isSelected, onToggle, onRevoke }: TokenRowProps) {
  const { first_characters, scopes, created_at, last_used_at, expires_at } = token;
  const network = token.last_used_network ?? token.network;
  return (
    <tr class={isSelected ? 'selected' : ''}>
      {onToggle && (
        <SelectCell label={`Select ${formatToken(token)}`} isSelected={isSelected} onToggle={onToggle} />
      )}
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
            Revoke…
          </button>
        </td>
      )}
    </tr>
  );
}
