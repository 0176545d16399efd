/** Assertions about the responses during an outage of the database and after it. */
import assert from 'node:assert/strict';
import type { Api, ApiResponse } from './api.ts';
import { ADMIN_TOKEN, newUserData } from './service.ts';

/** Sends a request that writes, without a password to hash. */
export function write(api: Api): Promise<ApiResponse> {
  const { name, email } = newUserData();
  return api.post('/api/v1/users', { name, email }, { token: ADMIN_TOKEN });
}

/** Sends a request that reads the database. */
export function read(api: Api): Promise<ApiResponse> {
  return api.get('/api/v1/users?limit=1', { token: ADMIN_TOKEN });
}

export function assertOutage({ status, headers, body }: ApiResponse): void {
  assert.equal(status, 503);
  assert.equal(body.code, 'service_unavailable');
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

export async function assertHealth(api: Api, expected: { livez: number; readyz: number }): Promise<void> {
  const [livez, readyz] = await Promise.all([api.get('/livez'), api.get('/readyz')]);
  assert.deepEqual({ livez: livez.status, readyz: readyz.status }, expected);
}

export async function assertWorks(api: Api): Promise<void> {
  await assertHealth(api, { livez: 200, readyz: 200 });
  assert.equal((await read(api)).status, 200);
  assert.equal((await write(api)).status, 201);
}
