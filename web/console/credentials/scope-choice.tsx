/** A choice of scopes, one by one or by a role. */
import type { AdminScope } from '../../common/api-types.ts';
import { Errors } from '../../common/form.tsx';
import { ROLE_LABELS, ROLES, type Role, SCOPE_NAMES, SCOPES } from './scopes.ts';

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
        {(Object.keys(ROLES) as Role[]).map((role) => (
          <button
            key={role}
            type="button"
            class="compact"
            aria-pressed={isSame(scopes, ROLES[role])}
            onClick={() => onScopes(ROLES[role])}
          >
            {ROLE_LABELS[role]}
          </button>
        ))}
      </div>
      <div class="stack tight">
        {SCOPE_NAMES.map((scope) => (
          <label key={scope} class="option">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              <code>{scope}</code>
              <small>{SCOPES[scope]}</small>
            </span>
          </label>
        ))}
      </div>
      <Errors messages={errors} />
    </fieldset>
  );
}

function isSame(chosen: readonly AdminScope[], role: readonly AdminScope[]): boolean {
  return chosen.length === role.length && role.every((scope) => chosen.includes(scope));
}
