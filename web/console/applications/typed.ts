/** An application as it is typed. */
import { useState } from 'preact/hooks';
import type { Application } from '../../common/api-types.ts';
import type { Action } from '../../common/use-action.ts';

export const FIELDS = [
  'name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'token_lifetime_days',
  'jwt_audiences',
  'id_token_alg',
  'require_pkce',
];

export interface TypedApplication {
  readonly name: string;
  readonly kind: Application['kind'];
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly token_lifetime_days: string;
  /** Separated by commas. */
  readonly jwt_audiences: string;
  readonly id_token_alg: Application['id_token_alg'];
  readonly require_pkce: boolean;
}

const NEW: TypedApplication = {
  name: '',
  kind: 'web',
  redirect_uris: [''],
  post_logout_redirect_uris: [],
  scopes: ['self:read'],
  token_lifetime_days: '',
  jwt_audiences: '',
  id_token_alg: 'RS256',
  require_pkce: false,
};

export function toTyped(application: Application | null): TypedApplication {
  if (application === null) return NEW;
  const { token_lifetime_days, jwt_audiences } = application;
  return {
    ...application,
    jwt_audiences: jwt_audiences.join(', '),
    token_lifetime_days: token_lifetime_days === null ? '' : `${token_lifetime_days}`,
  };
}

/** Returns the body of the request. Lines that were left empty are no URIs, and texts between commas no audiences. */
export function toBody(typed: TypedApplication) {
  const { name, scopes, token_lifetime_days: days, id_token_alg, require_pkce } = typed;
  const toList = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== '');
  return {
    name,
    scopes,
    id_token_alg,
    require_pkce,
    redirect_uris: toList(typed.redirect_uris),
    post_logout_redirect_uris: toList(typed.post_logout_redirect_uris),
    jwt_audiences: toList(typed.jwt_audiences.split(',')),
    token_lifetime_days: days.trim() === '' ? null : Number(days),
  };
}

/** Returns what was typed, and how to change it. */
export function useTyped(application: Application | null) {
  const [typed, setTyped] = useState(() => toTyped(application));
  const change = (changes: Partial<TypedApplication>) => setTyped((last) => ({ ...last, ...changes }));
  return [typed, change] as const;
}

export interface ApplicationFieldsProps {
  readonly typed: TypedApplication;
  readonly onTyped: (changes: Partial<TypedApplication>) => void;
  readonly action: Action;
  /** Whether the kind can still be chosen. */
  readonly isNew: boolean;
}
