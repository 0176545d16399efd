/** Each route of administrators: with exactly its scope, and with all others. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createCredential } from '../../../test/support/credentials.ts';
import { routes } from '../../../test/support/routes.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useSharedService } from '../../../test/support/service.ts';
import { ADMIN_SCOPE_NAMES, type AdminScope, ROLES } from '../../callers/admin-scopes.ts';
import { getAdminScope } from '../../callers/callers.ts';
import { newId } from '../../lib/secrets/ids.ts';

/** Operations that administrators may call. */
const operations = routes.flatMap(({ method, path, config }) => {
  const rule = { ...config, access: config.access! };
  const scope = rule.access === 'admin' || rule.access === 'optional' ? getAdminScope(rule) : undefined;
  return scope === undefined ? [] : [{ method, path, scope, access: rule.access }];
});
const withScope = operations.filter(({ scope }) => scope !== 'any');
const others = (scope: string) => ADMIN_SCOPE_NAMES.filter((one) => one !== scope && one !== 'admin');

describeOnSqlite('scopes of credentials', (engine) => {
  const service = useSharedService(engine);
  const secrets = new Map<string, { readonly alone: string; readonly others: string }>();
  before(async () => {
    for (const scope of new Set(withScope.map((operation) => operation.scope as AdminScope))) {
      const [alone, rest] = [
        await createCredential(service, [scope]),
        await createCredential(service, others(scope)),
      ];
      secrets.set(scope, { alone: alone.secret, others: rest.secret });
    }
  });

  /** Sends a request without a body to an id that is not there, and reads no more than the status of a stream. */
  const send = async (method: string, path: string, token: string) => {
    const url = service.api.url + path.replace(/\{\w+\}/g, newId());
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(url, { method, headers, signal: abort.signal });
    abort.abort();
    return response;
  };

  test('every route of administrators is open to a credential with exactly its scope', async () => {
    for (const { method, path, scope } of withScope) {
      const { status } = await send(method, path, secrets.get(scope)!.alone);
      assert.ok(![401, 403].includes(status) && status < 500, `${method} ${path}: ${status}`);
    }
  });

  test('every route of administrators rejects a credential with all scopes but its own with 403, and names the scope', async () => {
    for (const { method, path, scope, access } of withScope) {
      const { status, headers } = await send(method, path, secrets.get(scope)!.others);
      const realm = access === 'admin' ? 'admin' : 'api';
      const challenge = `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`;
      assert.deepEqual([status, headers.get('www-authenticate')], [403, challenge], `${method} ${path}`);
    }
  });

  test('operations that need no scope accept every credential, and those of users none', async () => {
    const { secret: token } = await createCredential(service, ['clients:forward']);
    const fields = { fields: [{ label: 'Name', type: 'text', is_required: true }] };
    assert.equal((await service.api.post('/api/v1/form-fields/validate', fields, { token })).status, 200);
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 401);
  });

  test('the scope admin and ADMIN_TOKEN permit everything', async () => {
    const { secret } = await createCredential(service, ['admin']);
    for (const { method, path } of withScope) {
      for (const token of [secret, ADMIN_TOKEN]) {
        const { status } = await send(method, path, token);
        assert.ok(![401, 403].includes(status), `${method} ${path}: ${status}`);
      }
    }
  });

  test('roles have scopes that exist, and only the owner may manage credentials', async () => {
    for (const [role, scopes] of Object.entries(ROLES)) {
      const { secret: token } = await createCredential(service, scopes);
      const { status } = await service.api.get('/api/v1/credentials', { token });
      assert.equal(status, role === 'owner' ? 200 : 403, role);
    }
  });
});
