/** Rules of identity providers: pure functions. */
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import { checkUrl } from '../../lib/outbound/check-url.ts';
import type { SchemaValue } from '../../lib/schema/json-schema.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import type { createProviderSchema, ProviderRow, updateProviderSchema } from './provider.ts';

const DEFAULT_SCOPES = { oidc: 'openid email profile', github: 'read:user user:email' } as const;
const DISCOVERY_PATH = /\/\.well-known\/openid-configuration\/?$/;

export type ProviderChanges = SchemaValue<typeof updateProviderSchema>;

export type ProviderSettings = Pick<
  ProviderRow,
  'name' | 'kind' | 'issuer' | 'client_id' | 'scopes' | 'trust_email' | 'enabled'
>;

/** Returns the settings of a new provider. @throws Problem validation_failed */
export function toSettings(
  given: SchemaValue<typeof createProviderSchema>,
  policy: AddressPolicy,
): ProviderSettings {
  const { name, kind, client_id, issuer } = given;
  if (kind === 'oidc' && issuer === undefined)
    throw validationFailed({ issuer: ['The issuer field is required.'] });
  const initial = { name, kind, client_id, issuer: 'https://github.com', scopes: DEFAULT_SCOPES[kind] };
  return applyChanges({ ...initial, trust_email: 0, enabled: 1 }, given, policy);
}

/** Returns the provider after the changes. @throws Problem validation_failed */
export function applyChanges<Row extends ProviderSettings>(
  row: Row,
  changes: ProviderChanges,
  policy: AddressPolicy,
): Row {
  const { name = row.name, client_id = row.client_id } = changes;
  const required = row.kind === 'oidc' ? ['openid'] : [];
  const { trust_email = row.trust_email === 1, enabled = row.enabled === 1 } = changes;
  return {
    ...row,
    ...{ name, client_id, trust_email: Number(trust_email), enabled: Number(enabled) },
    issuer: changes.issuer === undefined ? row.issuer : normalizeIssuer(changes.issuer, policy),
    scopes:
      changes.scopes === undefined ? row.scopes : [...new Set([...required, ...changes.scopes])].join(' '),
  };
}

/** Returns the issuer as it was written, because responses repeat it letter by letter. @throws Problem validation_failed */
function normalizeIssuer(given: string, policy: AddressPolicy): string {
  const issuer = given.replace(DISCOVERY_PATH, '');
  const checked = checkUrl(issuer, policy);
  if ('reason' in checked) throw validationFailed({ issuer: [`The issuer field must ${checked.reason}`] });
  return issuer;
}

/** Returns the names of the members that differ, for the record of events. */
export function listChanges(before: ProviderRow, after: ProviderRow) {
  const names = ['name', 'issuer', 'client_id', 'client_secret', 'scopes', 'trust_email', 'enabled'] as const;
  return names.filter((name) => before[name] !== after[name]).map((name) => ({ name }));
}
