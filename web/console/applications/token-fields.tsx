/** What the tokens of an application permit, when they expire, and how its ID tokens and JSON Web Tokens are made. */
import type { Application } from '../../common/api-types.ts';
import { Errors, Field, Select } from '../../common/form.tsx';
import type { ApplicationFieldsProps } from './typed.ts';

const TEXTS = [
  {
    name: 'token_lifetime_days',
    label: 'Days until its tokens expire (optional)',
    hint: 'Empty: as long as the tokens of a login. They end with the session of the browser at the latest.',
  },
  {
    name: 'jwt_audiences',
    label: 'Audiences of its JSON Web Tokens (optional)',
    hint: 'Names of JWT_AUDIENCES, separated by commas. Empty: it gets no JSON Web Tokens.',
  },
] as const;

export function TokenFields({ typed, onTyped, action }: Omit<ApplicationFieldsProps, 'isNew'>) {
  const getErrors = (name: string) => action.error?.errors[name] ?? [];
  return (
    <>
      <ScopeFields
        scopes={typed.scopes}
        onScopes={(scopes) => onTyped({ scopes })}
        errors={getErrors('scopes')}
      />
      {TEXTS.map((field) => (
        <Field
          key={field.name}
          {...field}
          value={typed[field.name]}
          onValue={(value) => onTyped({ [field.name]: value })}
          error={action.error}
          autocomplete="off"
        />
      ))}
      <Select
        label="Signature of ID tokens"
        name="id_token_alg"
        options={[
          ['RS256', 'RS256: every client knows it'],
          ['ES256', 'ES256: shorter, if the client accepts it'],
        ]}
        value={typed.id_token_alg}
        onValue={(alg) => onTyped({ id_token_alg: alg as Application['id_token_alg'] })}
        errors={getErrors('id_token_alg')}
      />
      <RequirePkce typed={typed} onTyped={onTyped} />
    </>
  );
}

function RequirePkce({ typed, onTyped }: Pick<ApplicationFieldsProps, 'typed' | 'onTyped'>) {
  if (typed.kind === 'public') return null;
  return (
    <label class="option">
      <input
        type="checkbox"
        name="require_pkce"
        checked={typed.require_pkce}
        onChange={({ currentTarget: { checked } }) => onTyped({ require_pkce: checked })}
      />
      Reject sign-ins without PKCE, even if they have a nonce
    </label>
  );
}

const SCOPES = ['self:read', 'self:write', 'tokens:manage'];

interface ScopeFieldsProps {
  readonly scopes: readonly string[];
  readonly onScopes: (scopes: readonly string[]) => void;
  readonly errors: readonly string[];
}

function ScopeFields({ scopes, onScopes, errors }: ScopeFieldsProps) {
  const toggle = (scope: string) =>
    onScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <fieldset class="field stack tight" aria-invalid={errors.length > 0 ? true : undefined} tabIndex={-1}>
      <legend>What its tokens permit in the API of this service</legend>
      {SCOPES.map((scope) => (
        <label key={scope} class="option">
          <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
          <code>{scope}</code>
        </label>
      ))}
      <Errors messages={errors} />
    </fieldset>
  );
}
