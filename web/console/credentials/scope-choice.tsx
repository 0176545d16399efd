/** A choice of scopes, one by one or by a role. */
import {
  ADMIN_SCOPE_NAMES,
  ADMIN_SCOPES,
  type AdminScope,
  ROLES,
} from '../../../src/callers/admin-scopes.ts';
import { capitalize } from '../../common/capitalize.ts';
import { Errors } from '../../common/form.tsx';
import { findRole, ROLE_NAMES } from './scopes.ts';

interface ScopeChoiceProps {
  readonly scopes: readonly AdminScope[];
  readonly onScopes: (scopes: readonly AdminScope[]) => void;
  readonly errors: readonly string[];
}

export function ScopeChoice({ scopes, onScopes, errors }: ScopeChoiceProps) {
  const toggle = (scope: AdminScope) =>
    onScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <fieldset class="field stack tight" aria-invalid={errors.length > 0 ? true : undefined} tabIndex={-1}>
      <legend>Scopes</legend>
      <div class="row">
        {ROLE_NAMES.map((role) => (
          <button
            key={role}
            type="button"
            class="compact"
            aria-pressed={findRole(scopes) === role}
            onClick={() => onScopes(ROLES[role])}
          >
            {capitalize(role)}
          </button>
        ))}
      </div>
      <div class="stack tight">
        {ADMIN_SCOPE_NAMES.map((scope) => (
          <label key={scope} class="option">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              <code>{scope}</code>
              <small>{ADMIN_SCOPES[scope]}</small>
            </span>
          </label>
        ))}
      </div>
      <Errors messages={errors} />
    </fieldset>
  );
}
