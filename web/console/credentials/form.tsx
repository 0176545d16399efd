/** The settings of a new credential. */
import { ADMIN_SCOPE_NAMES, ADMIN_SCOPES, type AdminScope } from '../../../src/callers/admin-scopes.ts';
import type { Credential } from '../../common/api-types.ts';
import { Button } from '../../common/components.tsx';
import { FieldGroup } from '../../common/form.tsx';
import { timeZone } from '../../common/time.tsx';
import { CheckList, type RecordForm } from '../records/record-form.tsx';

interface TypedCredential {
  readonly name: string;
  readonly scopes: readonly AdminScope[];
  readonly expires_at: string;
  readonly networks: string;
}

export const CREDENTIAL_FORM: RecordForm<Credential, TypedCredential> = {
  toTyped: () => ({ name: '', scopes: [], expires_at: '', networks: '' }),
  toBody: ({ name, scopes, expires_at, networks }) => ({
    name,
    scopes,
    expires_at: expires_at === '' ? null : new Date(expires_at).toISOString(),
    networks: toList(networks),
  }),
  getFields: ({ scopes }, set) => [
    { name: 'name', label: 'Name', direction: 'auto', hint: 'Of the program: events name it.' },
    {
      name: 'scopes',
      render: (errors) => (
        <ScopeChoice scopes={scopes} onScopes={(chosen) => set({ scopes: chosen })} errors={errors} />
      ),
    },
    {
      name: 'expires_at',
      label: 'Expires (optional)',
      type: 'datetime-local',
      hint: `In ${timeZone}. Without it, the credential is valid until it is revoked.`,
    },
    {
      name: 'networks',
      label: 'Networks (optional)',
      hint: 'Addresses and networks such as 192.0.2.0/24, separated by commas. Without them, all.',
    },
  ],
};

function toList(text: string): string[] | null {
  const list = text.split(/[\s,]+/).filter((part) => part !== '');
  return list.length === 0 ? null : list;
}

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

/** A choice of scopes, in words. */
function ScopeChoice({ scopes, onScopes, errors }: ScopeChoiceProps) {
  return (
    <FieldGroup legend="What it may do" errors={errors}>
      <div class="row">
        {Object.entries(PRESETS).map(([title, preset]) => (
          <Button
            key={title}
            text={title}
            class="compact"
            aria-pressed={scopes.toSorted().join() === preset.toSorted().join()}
            onClick={() => onScopes(preset)}
          />
        ))}
      </div>
      {GROUPS.map(([group, names]) => (
        <FieldGroup key={group} legend={group}>
          <CheckList
            options={names.map((scope) => [scope, describeScope(scope)])}
            chosen={scopes}
            onChosen={onScopes}
          />
        </FieldGroup>
      ))}
    </FieldGroup>
  );
}

const describeScope = (scope: AdminScope) => (
  <span>
    {ADMIN_SCOPES[scope].title} <code>{scope}</code>
    <small>{ADMIN_SCOPES[scope].meaning}</small>
  </span>
);
