/** Named credentials of administrators for tests. */
import assert from 'node:assert/strict';
import type { Api } from './api.ts';
import { admin } from './environment.ts';

export const CREDENTIALS = '/api/v1/credentials';

let count = 0;

/** Returns a name that no other credential of the tests has. */
export function newCredentialName(): string {
  count++;
  return `Credential ${count}`;
}

/** Creates a credential with these scopes, and returns its secret and its record. */
export async function createCredential(
  { api }: { readonly api: Api },
  scopes: readonly string[],
  settings: object = {},
) {
  const body = { name: newCredentialName(), scopes, ...settings };
  const response = await api.post(CREDENTIALS, body, admin);
  assert.equal(response.status, 201, response.text);
  const { credential, ...record } = response.body.data;
  return { secret: credential as string, record, path: `${CREDENTIALS}/${record.id}` };
}
