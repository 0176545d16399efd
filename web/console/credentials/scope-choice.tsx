/** A choice of scopes, in words. */
import { ADMIN_SCOPE_NAMES, ADMIN_SCOPES, type AdminScope } from '../../../src/callers/admin-scopes.ts';
import { Errors } from '../../common/form.tsx';

interface ScopeChoiceProps {
  readonly scopes: readonly AdminScope[];
  readonly onScopes: (scopes: readonly AdminScope[]) => void;
  readonly errors: readonly string[];
}

/** What programs are often created for. */
const PRESETS: Readonly<Record<string, readonly AdminScope[]>> = {
  'Verify tokens': ['tokens:verify'],
  'Read everything': ADMIN_SCOPE_NAMES.filter((scope) => scope.endsWith(':read')),
  'Manage users': ['users:read', 'users:write', 'tokens:write', 'links:send'],
  Everything: ['admin'],
};

const GROUPS = Object.entries(Object.groupBy(ADMIN_SCOPE_NAMES, (scope) => ADMIN_SCOPES[scope].group));

export function ScopeChoice({ scopes, onScopes, errors }: ScopeChoiceProps) {
  const toggle = (scope: AdminScope) =>
    onScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <fieldset class="field stack tight" aria-invalid={errors.length > 0 ? true : undefined} tabIndex={-1}>
      <legend>What it may do</legend>
      <div class="row">
        {Object.entries(PRESETS).map(([title, preset]) => (
          <button
            key={title}
            type="button"
            class="compact"
            aria-pressed={scopes.toSorted().join() === preset.toSorted().join()}
            onClick={() => onScopes(preset)}
          >
            {title}
          </button>
        ))}
      </div>
      {GROUPS.map(([group, names]) => (
        <fieldset key={group} class="field stack tight">
          <legend>{group}</legend>
          {names.map((scope) => (
            <label key={scope} class="option">
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
              <span>
                {ADMIN_SCOPES[scope].title} <code>{scope}</code>
                <small>{ADMIN_SCOPES[scope].meaning}</small>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <Errors messages={errors} />
    </fieldset>
  );
}
