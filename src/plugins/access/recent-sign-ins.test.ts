import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createAdministrator, signInAs, signInPerson } from '../../../test/support/administrators.ts';
import { fromConsole, signIn } from '../../../test/support/browser/console-session.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { routes } from '../../../test/support/routes.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, newUserData, useService } from '../../../test/support/service.ts';
import { RECENT_SIGN_IN_MINUTES } from '../../callers/admin-scopes.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { MINUTE } from '../../lib/time.ts';

const consoleRoutes = routes.filter(({ access }) => access === 'admin' || access === 'optional');
const toName = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

/** Changes that neither give access nor send data to a new recipient nor destroy, with the reason. */
const UNPROTECTED: Readonly<Record<string, string>> = {
  'POST /api/v1/tokens/verify': 'reads',
  'POST /api/v1/form-fields/validate': 'reads',
  'POST /api/v1/admin/preview': 'reads',
  'POST /api/v1/identity-providers/{id}/check': 'reads',
  'DELETE /api/v1/users/{id}/tokens': 'ends access',
  'DELETE /api/v1/users/{id}/tokens/{tokenId}': 'ends access',
  'DELETE /api/v1/users/{id}/sessions/{sessionId}': 'ends access',
  'DELETE /api/v1/users/{id}/lock': 'the password is still needed',
  'POST /api/v1/users/{id}/links': 'sends to the address of the account',
  'POST /api/v1/admin/mail/{id}/retry': 'sends to the address of the account',
  'POST /api/v1/admin/mail/{id}/cancel': 'the link can be sent again',
  'POST /api/v1/webhooks/{id}/test': 'sends to the recipient that a recent sign-in has set',
  'POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/retry': 'as above',
  'POST /api/v1/webhooks/{id}/replay': 'as above',
  'POST /api/v1/admin/backups': 'the file stays on the server',
  'PUT /api/v1/admin/texts/{language}': 'can be changed back',
  'POST /api/v1/forms': 'can be changed back',
  'PUT /api/v1/forms/{id}': 'adds a version, and messages have no answers',
  'POST /api/v1/forms/{id}/publish': 'can be changed back',
  'POST /api/v1/forms/{id}/close': 'can be changed back',
  'POST /api/v1/forms/{id}/reopen': 'can be changed back',
  'POST /api/v1/forms/{id}/duplicate': 'can be deleted',
  'POST /api/v1/forms/{id}/submissions': 'is open to everybody',
  'POST /api/v1/forms/{id}/submissions/{submission_id}/release': 'keeps the submission',
};

test('each route of the console that changes something needs a recent sign-in, or has a reason why not', () => {
  const decided = consoleRoutes.filter(({ method, recentSignIn }) => method !== 'GET' && !recentSignIn);
  assert.deepEqual(decided.map(toName).sort(), Object.keys(UNPROTECTED).sort());
});

test('each export of the console needs a recent sign-in', () => {
  const exports = consoleRoutes.filter(({ path }) => path.endsWith('/export'));
  assert.deepEqual(pluck(exports, 'recentSignIn'), ['always', 'always', 'always']);
});

describeOnSqlite('a session of the console whose sign-in is not recent', (engine) => {
  const clock = manualClock(Date.now());
  const environment = { RATE_LIMITS: 'off' };
  const service = useService(engine, { clock, environment });
  let owner: Awaited<ReturnType<typeof signInAs>>;
  let firstOwner = '';
  let recent = '';
  before(async () => {
    owner = await signInAs(service, 'owner');
    clock.now += RECENT_SIGN_IN_MINUTES * MINUTE;
    recent = await signInPerson(service, owner);
    firstOwner = await signIn(service);
  });

  const needsSignIn = async (cookie: string, method: string, path: string, body?: object) => {
    const sent = { headers: { 'if-match': '*' }, ...(body && { body }) };
    const response = await service.api.request(method, path, fromConsole(cookie, sent));
    return response.status === 403 && response.body.code === 'recent_sign_in_required';
  };

  for (const { method, path } of consoleRoutes.filter((route) => route.recentSignIn === 'always'))
    test(`${method} ${path} needs a recent sign-in of a person, before the body is read`, async () => {
      const url = path.replace(/\{\w+\}/g, newId());
      const body = method === 'GET' ? undefined : {};
      assert.ok(await needsSignIn(owner.cookie, method, url, body));
      for (const cookie of [recent, firstOwner]) assert.ok(!(await needsSignIn(cookie, method, url, body)));
    });

  test('routes by member are those below', () => {
    const byMember = consoleRoutes.filter(({ recentSignIn }) => typeof recentSignIn === 'function');
    assert.deepEqual(byMember.map(toName), [
      'POST /api/v1/users',
      'PATCH /api/v1/users/{id}',
      'POST /api/v1/users/batch',
    ]);
  });

  const batch = (operation: (id: string) => object) => (id: string) => ({ operations: [operation(id)] });
  const BY_MEMBER: [method: string, path: string, toBody: (id: string) => object, isNeeded: boolean][] = [
    ['POST', '', () => ({ ...newUserData(), role: 'support' }), true],
    ['POST', '', () => newUserData(), false],
    ['PATCH', '/{id}', () => ({ role: 'support' }), true],
    ['PATCH', '/{id}', () => ({ email: newUserData().email }), true],
    ['PATCH', '/{id}', () => ({ level: 'gold', state: 'disabled' }), false],
    [
      'POST',
      '/batch',
      batch(() => ({ action: 'create', user: { ...newUserData(), role: 'support' } })),
      true,
    ],
    ['POST', '/batch', batch((id) => ({ action: 'update', id, changes: { role: 'support' } })), true],
    [
      'POST',
      '/batch',
      batch((id) => ({ action: 'update', id, changes: { email: newUserData().email } })),
      true,
    ],
    ['POST', '/batch', batch((id) => ({ action: 'erase', id })), true],
    ['POST', '/batch', batch((id) => ({ action: 'update', id, changes: { level: 'gold' } })), false],
    ['POST', '/batch', batch((id) => ({ action: 'disable', id })), false],
    ['POST', '/batch', batch((id) => ({ action: 'revoke', id })), false],
  ];
  for (const [index, [method, path, toBody, isNeeded]] of BY_MEMBER.entries())
    test(`${method} /api/v1/users${path} ${isNeeded ? 'needs' : 'does not need'} a recent sign-in for members ${index}`, async () => {
      const { id } = await createAdministrator(service, null);
      const url = `/api/v1/users${path.replace('{id}', id)}`;
      assert.equal(await needsSignIn(owner.cookie, method, url, toBody(id)), isNeeded);
      assert.ok(!(await needsSignIn(recent, method, url, toBody(id))));
    });

  test('a credential needs no sign-in', async () => {
    const { path } = await createAdministrator(service, null);
    assert.equal((await service.api.delete(path, admin)).status, 204);
  });
});
