import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { description } from '../../../test/support/description.ts';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { ADMIN_TOKEN, newPerson, useService } from '../../../test/support/service.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import { Problem } from '../../problems.ts';
import type { Access } from '../route.ts';
import { adminCheck, authenticate } from './authentication.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
}

const operations: Operation[] = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, { 'x-access': Access }>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, 'some-id'),
    access: operation['x-access'],
  })),
);
const operationsOf = (...access: Access[]) =>
  operations.filter((operation) => access.includes(operation.access));

const INVALID = 'error="invalid_token", error_description="The access token is invalid or expired"';

describe('credentials', () => {
  const service = useService('sqlite');
  let token = '';
  before(async () => {
    token = (await service.api.post('/api/register', newPerson())).body.access_token;
  });

  const refused = async (
    { method, path, access }: Operation,
    authorization: string | null,
    detail: string,
  ) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const { status, headers: answered, body } = await service.api.request(method, path, { headers });
    assert.equal(status, 401, `${method} ${path} with ${authorization}`);
    assert.deepEqual(body, { error: 'Unauthorized', code: 'unauthorized' });
    const realm = access === 'admin' ? 'admin' : 'api';
    assert.equal(answered.get('www-authenticate'), `Bearer realm="${realm}"${detail && `, ${detail}`}`);
  };

  for (const operation of operationsOf('user', 'admin')) {
    test(`${operation.method} ${operation.path} asks for one without naming an error (RFC 6750 section 3.1)`, async () => {
      await refused(operation, null, '');
      await refused(operation, `Basic ${btoa('admin:secret')}`, '');
    });
  }

  for (const operation of operationsOf('user', 'admin', 'optional')) {
    test(`${operation.method} ${operation.path} refuses a wrong one, and never takes it for none`, async () => {
      const wrong = ['Bearer x', `Bearer ${newToken()}`, `Bearer ${ADMIN_TOKEN}x`, 'Bearer', 'bearer a b'];
      for (const authorization of wrong) await refused(operation, authorization, INVALID);
      if (operation.access === 'optional') await refused(operation, `Basic ${btoa('a:b')}`, '');
    });
  }

  for (const operation of operationsOf('public')) {
    test(`${operation.method} ${operation.path} does not look at them`, async () => {
      const { method, path } = operation;
      const without = await service.api.request(method, path);
      const withWrong = await service.api.request(method, path, { token: 'x' });
      assert.notEqual(without.status, 401);
      assert.deepEqual([withWrong.status, withWrong.text], [without.status, without.text]);
    });
  }

  test('a user token does not open what is the administrator’s, nor the other way round', async () => {
    for (const operation of operationsOf('admin')) await refused(operation, `Bearer ${token}`, INVALID);
    for (const operation of operationsOf('user')) await refused(operation, `Bearer ${ADMIN_TOKEN}`, INVALID);
  });

  test('the scheme of a user token may be written in any case, the token not', async () => {
    const status = async (authorization: string) =>
      (await service.api.get('/api/v1/me', { headers: { authorization } })).status;
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      assert.equal(await status(`${scheme} ${token}`), 200);
    assert.equal(await status(`Bearer ${token.toUpperCase()}`), 401);
    assert.equal(await status(token), 401);
  });

  test('a token in the query or in the body is not one', async () => {
    assert.equal((await service.api.get(`/api/v1/me?access_token=${token}`)).status, 401);
    assert.equal((await service.api.post('/api/logout', { access_token: token })).status, 401);
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 200);
  });

  test('of two Authorization fields none that is hidden behind the first counts', async () => {
    const fields = ['Authorization: Bearer x', `Authorization: Bearer ${token}`];
    assert.equal(
      (await sendRawOnce(service.api.address, rawRequest('GET', '/api/v1/me', fields))).status,
      401,
    );
  });

  test('the administrator’s header value counts only as a whole', async () => {
    const status = async (authorization: string) => {
      const request = rawRequest('GET', '/api/v1/admin/dashboard', [`Authorization: ${authorization}`]);
      return (await sendRawOnce(service.api.address, request)).status;
    };
    assert.equal(await status(`Bearer ${ADMIN_TOKEN}`), 200);
    for (const wrong of [
      `bearer ${ADMIN_TOKEN}`,
      `Bearer  ${ADMIN_TOKEN}`,
      ADMIN_TOKEN,
      `Bearer ${ADMIN_TOKEN},`,
    ]) {
      assert.equal(await status(wrong), 401, wrong);
    }
  });
});

test('only a whole header value out of the accepted ones is the administrator', () => {
  const accepted = ['a'.repeat(32), 'b'.repeat(32)];
  const isAdmin = adminCheck(accepted);
  for (const one of accepted) assert.ok(isAdmin(`Bearer ${one}`));
  const near = fc.constantFrom(...accepted).chain((one) => fc.string().map((text) => `Bearer ${one}${text}`));
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (text) => {
      assert.equal(isAdmin(text), accepted.includes(text.slice(7)) && text.startsWith('Bearer '));
    }),
  );
  assert.ok(!adminCheck([])('Bearer '));
});

describe('a token', () => {
  const route = { access: 'user', scope: 'tokens:manage' } as const;
  const never = () => false;
  const caller = { kind: 'user', userId: 'u', tokenId: 't', tokenHash: 'h', tokenLastUsedAt: null } as const;

  test('is looked up by its hash', async () => {
    const token = newToken();
    const find = async (hash: string) =>
      hash === hashToken(token) ? { ...caller, scopes: ['tokens:manage'] } : undefined;
    assert.equal(
      (await authenticate(route, `Bearer ${token}`, { isAdmin: never, findToken: find })).kind,
      'user',
    );
    await assert.rejects(authenticate(route, `Bearer ${newToken()}`, { isAdmin: never, findToken: find }), {
      code: 'unauthorized',
    });
  });

  test('without the scope of the route is a 403 that names the scope', async () => {
    const find = async () => ({ ...caller, scopes: ['self:read'] });
    await assert.rejects(
      authenticate(route, `Bearer ${newToken()}`, { isAdmin: never, findToken: find }),
      (error) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual([error.code, error.status, error.text], ['insufficient_scope', 403, 'Forbidden']);
        const challenge = 'Bearer realm="api", error="insufficient_scope", scope="tokens:manage"';
        assert.deepEqual(error.options.headers, { 'www-authenticate': challenge });
        return true;
      },
    );
  });

  test('with a wrong checksum is refused without asking the database', async () => {
    const find = () => assert.fail('the database was asked');
    for (const text of [
      newToken().slice(0, -1),
      `${newToken()}0`,
      newToken().replace('fd_pat_', 'fd_pot_'),
      'x',
    ]) {
      await assert.rejects(authenticate(route, `Bearer ${text}`, { isAdmin: never, findToken: find }), {
        code: 'unauthorized',
      });
    }
  });
});
