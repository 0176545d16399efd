import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { operations } from '../../../test/support/description/description.ts';
import { getErrorForm } from '../../../test/support/error-forms.ts';
import { ADMIN_TOKEN, newUserData, useSharedService } from '../../../test/support/service.ts';
import { type Access, createFixedCredentials } from '../../callers/callers.ts';
import { newToken } from '../../lib/secrets/tokens.ts';
import { adminCheck, authenticate } from './authentication.ts';

const toOperations = (...accesses: Access[]) =>
  operations
    .map(({ method, path, operation }) => ({
      ...{ method, path: path.replace(/\{\w+\}/g, 'some-id'), access: operation['x-access'] as Access },
    }))
    .filter(({ access }) => accesses.includes(access));
type Operation = ReturnType<typeof toOperations>[number];

/** Applications authenticate themselves (RFC 6749 section 2.3), which the operation requires of every request. */
const authenticatesClient = ({ path, access }: Operation) =>
  access === 'public' && getErrorForm(path) === 'oauth';

const toUnauthorized = (hasCredential: boolean) => ({
  api: { error: 'Unauthorized', code: 'unauthorized' },
  oauth: { error: hasCredential ? 'invalid_token' : 'invalid_request', error_description: 'Unauthorized' },
  page: null,
});

const INVALID = 'error="invalid_token", error_description="The access token is invalid or expired"';

describe('credentials of requests', () => {
  const service = useSharedService('sqlite');
  let token = '';
  before(async () => {
    token = (await service.api.post('/api/register', newUserData())).body.access_token;
  });

  const assertUnauthorized = async (
    { method, path, access }: Operation,
    authorization: string | null,
    detail: string,
  ) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const { status, headers: responseHeaders, body } = await service.api.request(method, path, { headers });
    assert.equal(status, 401, `${method} ${path} with ${authorization}`);
    assert.deepEqual(body, toUnauthorized(detail !== '')[getErrorForm(path)]);
    const realm = access === 'admin' ? 'admin' : 'api';
    assert.equal(
      responseHeaders.get('www-authenticate'),
      `Bearer realm="${realm}"${detail && `, ${detail}`}`,
    );
  };

  for (const operation of toOperations('user', 'admin')) {
    test(`${operation.method} ${operation.path} without a bearer credential returns 401 without an error code (RFC 6750 section 3.1)`, async () => {
      await assertUnauthorized(operation, null, '');
      await assertUnauthorized(operation, `Basic ${btoa('admin:secret')}`, '');
    });
  }

  for (const operation of toOperations('user', 'admin', 'optional')) {
    test(`${operation.method} ${operation.path} rejects a wrong credential with 401`, async () => {
      const wrong = ['Bearer x', `Bearer ${newToken()}`, `Bearer ${ADMIN_TOKEN}x`, 'Bearer', 'bearer a b'];
      for (const authorization of wrong) await assertUnauthorized(operation, authorization, INVALID);
      if (operation.access === 'optional') await assertUnauthorized(operation, `Basic ${btoa('a:b')}`, '');
    });
  }

  for (const operation of toOperations('public')) {
    test(`${operation.method} ${operation.path} ignores a wrong credential`, async () => {
      const { method, path } = operation;
      const without = await service.api.request(method, path);
      const withWrong = await service.api.request(method, path, { token: 'x' });
      assert.equal(without.status === 401, authenticatesClient(operation));
      assert.deepEqual([withWrong.status, withWrong.text], [without.status, without.text]);
    });
  }

  test('user tokens are rejected on administrator operations, and the administrator credential on user operations', async () => {
    for (const operation of toOperations('admin'))
      await assertUnauthorized(operation, `Bearer ${token}`, INVALID);
    for (const operation of toOperations('user'))
      await assertUnauthorized(operation, `Bearer ${ADMIN_TOKEN}`, INVALID);
  });

  test('the scheme of a user token is accepted in any case, and the token in its own case only', async () => {
    const status = async (authorization: string) =>
      (await service.api.get('/api/v1/me', { headers: { authorization } })).status;
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      assert.equal(await status(`${scheme} ${token}`), 200);
    assert.equal(await status(`Bearer ${token.toUpperCase()}`), 401);
    assert.equal(await status(token), 401);
  });

  test('tokens in the query and in the body are ignored', async () => {
    assert.equal((await service.api.get(`/api/v1/me?access_token=${token}`)).status, 401);
    assert.equal((await service.api.post('/api/logout', { access_token: token })).status, 401);
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 200);
  });
});

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

test('adminCheck accepts exactly the configured credentials, behind Bearer in any case', () => {
  const accepted = ['a'.repeat(32), 'b'.repeat(32)];
  const isAdmin = adminCheck(createFixedCredentials(accepted));
  for (const one of accepted) assert.ok(isAdmin(`Bearer ${one}`));
  const token = fc.constantFrom(...accepted, ...accepted.map(swapCase));
  const near = fc
    .tuple(
      fc.mixedCase(fc.constantFrom('bearer ', 'bearer  ', 'basic ', '')),
      token,
      fc.constantFrom('', ' ', 'a'),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (text) => {
      const isBearer = text.slice(0, 7).toLowerCase() === 'bearer ';
      assert.equal(isAdmin(text), isBearer && accepted.includes(text.slice(7)));
    }),
  );
  assert.ok(!adminCheck(createFixedCredentials([]))('Bearer '));
});

test('authenticate rejects a token with a wrong checksum without looking it up', async () => {
  const route = { access: 'user', scope: 'tokens:manage' } as const;
  const clientIp = '192.0.2.1';
  const findToken = () => assert.fail('the token was looked up');
  const deps = { isAdmin: () => false, findCredential: async () => undefined, findToken };
  const token = newToken();
  for (const text of [token.slice(0, -1), `${token}0`, token.replace('fd_pat_', 'fd_pot_'), 'x']) {
    const headers = { authorization: `Bearer ${text}`, clientIp };
    await assert.rejects(authenticate(route, headers, deps), { code: 'unauthorized' });
  }
});
