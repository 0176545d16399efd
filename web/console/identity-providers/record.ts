/** Identity providers, as the API returns them. */
import type { IdentityProvider, ProviderCheck } from '../../common/api-types.ts';
import { post } from '../records/requests.ts';
import { request } from '../session.ts';

export const API_PATH = '/api/v1/identity-providers';

/** Properties of the parts of a provider. */
export interface ProviderSection {
  readonly provider: IdentityProvider;
  readonly onChange: () => void;
}

export function providerPath({ id }: Pick<IdentityProvider, 'id'>): string {
  return `${API_PATH}/${encodeURIComponent(id)}`;
}

/** Returns the precondition that the provider is as this page shows it. */
export function ifMatch({ version }: IdentityProvider) {
  return { 'If-Match': `"${version}"` };
}

/** Returns the provider after the change. @throws ApiError with 412 when it was changed since */
export async function changeProvider(provider: IdentityProvider, body: object): Promise<IdentityProvider> {
  const options = { method: 'PATCH', headers: ifMatch(provider), body } as const;
  return (await request<{ data: IdentityProvider }>(providerPath(provider), options)).body.data;
}

export function checkProvider(provider: IdentityProvider): Promise<readonly ProviderCheck[]> {
  return post(`${providerPath(provider)}/check`, {});
}
