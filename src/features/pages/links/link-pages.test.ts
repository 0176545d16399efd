import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { FORM_TYPE, getHeading, POLICY, submit } from '../../../../test/support/browser/account-pages.ts';
import { createTestLink, logIn } from '../../../../test/support/processes/recovery.ts';
import { rawRequest, sendRawOnce } from '../../../../test/support/raw-http.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { editor, newUserData, openService, useService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';
import type { LinkKind } from '../../mail/links/queries.ts';

const NEW = 'paper lantern under the bridge';

/** The tables whose rows a step changes. */
const WRITTEN = [
  ...['account_links', 'users', 'tokens', 'jobs'].map((table) =>
    sql<object>(`select * from ${table} order by 1, 2`),
  ),
  sql<object>('select id from events order by id'),
];

describeOnSqlite('link pages', (engine) => {
  const service = useService(engine);
  const createPath = async (
    kind: LinkKind,
    user: { id: string; email: string | null },
    { now = Date.now() } = {},
  ): Promise<string> => `${LINK_PATHS[kind]}${await createTestLink(service, kind, { user, now })}`;
  const createUserFor = (kind: LinkKind) =>
    kind === 'claim_account' ? createUnclaimedUser(service) : register(service);
  const newPassword = (path: string, password = NEW) => submit(service, path, { fields: { password } });
  const getRecord = async (id: string) => (await service.api.get(`/api/v1/users/${id}`, editor)).body.data;
  const rows = async () => {
    const { database } = service;
    return Promise.all(WRITTEN.map((statement) => database.all(statement)));
  };

  function assertPage(response: ApiResponse, status: number, heading: string): void {
    assert.equal(response.status, status);
    assert.equal(getHeading(response), heading);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('content-security-policy'), POLICY);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('x-robots-tag'), 'noindex');
    assert.equal(response.headers.get('x-frame-options'), 'DENY');
  }

  const forms: [kind: LinkKind, heading: string][] = [
    ['reset_password', 'Choose a new password'],
    ['claim_account', 'Set up your account'],
    ['verify_email', 'Confirm your email address'],
    ['change_email', 'Confirm your new email address'],
  ];
  for (const [kind, heading] of forms) {
    test(`a link in a mail (${kind}) is not used up by a scanner that opens it with GET, HEAD or a prefetch`, async () => {
      const path = await createPath(kind, await createUserFor(kind));
      const before = await rows();
      for (const headers of [{}, { 'sec-purpose': 'prefetch' }, { 'sec-fetch-site': 'cross-site' }]) {
        const response = await service.api.get(path, { headers });
        assertPage(response, 200, heading);
        assert.match(response.text, /<form method="post"/);
        assert.equal(response.text.includes(path.split('/').at(-1)!), false, 'no token in the page');
      }
      const head = await service.api.request('HEAD', path);
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.deepEqual(await rows(), before);
      const fields = kind.endsWith('_email') ? {} : { password: NEW };
      assert.equal((await submit(service, path, { fields })).status, 303);
    });

    test(`an expired, used, malformed or foreign link (${kind}) gets a page with 404 that names the next step`, async () => {
      const user = await createUserFor(kind);
      const expired = await createPath(kind, user, { now: Date.now() - 8 * 24 * HOUR });
      const base = LINK_PATHS[kind];
      const other = await createTestLink(
        service,
        kind.endsWith('_email') ? 'reset_password' : 'verify_email',
        {
          user,
        },
      );
      const paths = [
        expired,
        `${base}x`,
        `${base}${'A'.repeat(43)}`,
        `${base}${'A'.repeat(300)}`,
        base + other,
      ];
      for (const path of paths) {
        for (const response of [await service.api.get(path), await newPassword(path)]) {
          assertPage(response, 404, 'This link is not valid');
          assert.match(response.text, /If you/);
          assert.doesNotMatch(response.text, /<form|Try again/);
        }
        assert.equal((await service.api.request('HEAD', path)).status, 404);
      }
    });
  }

  test('the form of a link page sets the password, redirects to a page that can be reloaded, and works once', async () => {
    const person = await register(service);
    const path = await createPath('reset_password', person);
    const response = await newPassword(path);
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/account/password-set');
    assert.equal(response.text, '');
    for (let reload = 0; reload < 2; reload++) {
      assertPage(await service.api.get('/account/password-set'), 200, 'Your password is set');
    }
    assert.equal((await logIn(service, { ...person, password: NEW })).status, 200);
    assert.equal((await service.api.get('/api/v1/me', { token: person.token })).status, 401);
    const opened = await service.api.get(path);
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/account/password-set']);
    assertPage(await newPassword(path, `${NEW}, again`), 404, 'This link is not valid');
  });

  test('a password that a link page rejects is explained at the field, not sent back, and keeps the link', async () => {
    const person = await register(service);
    const path = await createPath('reset_password', person);
    for (const [fields, message] of [
      [{ password: 'sh0rt-é' }, 'The password field must be at least 8 characters.'],
      [{ password: '         ' }, 'The password field is required.'],
    ] as [Record<string, string>, string][]) {
      const response = await submit(service, path, { fields });
      assertPage(response, 400, 'Choose a new password');
      assert.match(response.text, /<title>Error: /);
      assert.ok(response.text.includes(`<p>${message}</p>`), response.text);
      assert.match(response.text, /aria-invalid="true" aria-describedby="password-error password-hint"/);
      assert.doesNotMatch(response.text, /sh0rt|name="password"[^>]*value=/);
    }
    assert.equal((await newPassword(path)).status, 303);
  });

  test('the button of a link page confirms the email', async () => {
    const person = await register(service);
    const path = await createPath('verify_email', person);
    const page = await service.api.get(path);
    assert.ok(page.text.includes(person.email));
    assert.equal((await getRecord(person.id)).email_verified_at, null);
    const response = await submit(service, path);
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/account/email-verified']);
    assert.notEqual((await getRecord(person.id)).email_verified_at, null);
    assertPage(await service.api.get('/account/email-verified'), 200, 'Your email address is verified');
    const opened = await service.api.get(path);
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/account/email-verified']);
  });

  test('the button of a link page changes the email, and a page with 409 states when it is taken', async () => {
    const person = await register(service);
    const { email } = newUserData();
    const path = await createPath('change_email', { id: person.id, email });
    assert.ok((await service.api.get(path)).text.includes(email));
    const owner = await register(service, { ...newUserData(), email });
    assertPage(await submit(service, path), 409, 'Another account has this email address');
    await service.api.delete(`/api/v1/users/${owner.id}`, editor);
    const response = await submit(service, path);
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/account/email-changed']);
    assert.equal((await getRecord(person.id)).email, email);
    assertPage(await service.api.get('/account/email-changed'), 200, 'Your email address is changed');
  });

  test('a link page for the password names the account by its email, for password managers, and by nothing else', async () => {
    for (const kind of ['reset_password', 'claim_account'] as const) {
      const user = await createUserFor(kind);
      const { text } = await service.api.get(await createPath(kind, user));
      const field = `type="email" autocomplete="username" value="${user.email}" readonly>`;
      assert.ok(text.includes(field), text);
      for (const value of [user.name, user.id]) assert.equal(text.includes(value), false, value);
    }
  });

  test('the link pages of a disabled account are those of an unknown link', async () => {
    const person = await register(service);
    await service.api.patch(`/api/v1/users/${person.id}`, { state: 'disabled' }, editor);
    for (const kind of ['reset_password', 'verify_email', 'change_email'] as const) {
      assertPage(await service.api.get(await createPath(kind, person)), 404, 'This link is not valid');
    }
  });

  test('a link page rejects a form that a page of another site sends with a page and 403, and keeps the link', async () => {
    const path = await createPath('reset_password', await register(service));
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const response = await submit(service, path, { fields: { password: NEW }, headers });
    assertPage(response, 403, 'The request could not be processed');
    const own = { 'sec-fetch-site': 'same-origin', origin: 'null' };
    assert.equal((await submit(service, path, { fields: { password: NEW }, headers: own })).status, 303);
  });

  test('a link page rejects bodies that are not a form with a page and 415', async () => {
    const path = await createPath('reset_password', await register(service));
    const types = [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      `${FORM_TYPE}; charset=latin1`,
    ];
    for (const type of types) {
      const raw = JSON.stringify({ password: NEW });
      const response = await service.api.request('POST', path, { raw, headers: { 'content-type': type } });
      assertPage(response, 415, 'The request could not be processed');
      assert.equal(response.headers.get('accept'), FORM_TYPE);
    }
    const accepted = await submit(service, path, {
      fields: { password: NEW },
      headers: { 'content-type': `${FORM_TYPE};charset=UTF-8` },
    });
    assert.equal(accepted.status, 303);
  });

  test('a reset link cannot be poisoned through the Host header: pages contain no host of the request', async () => {
    const path = await createPath('reset_password', await register(service));
    const evil = ['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example'];
    const request = rawRequest('GET', path, evil).toString().replace('Host: localhost', 'Host: evil.example');
    const { status, text, fields } = await sendRawOnce(service.api.url, request);
    assert.equal(status, 200);
    assert.doesNotMatch(text + JSON.stringify(fields), /evil/);
  });

  test("the log has the template of a link's path and never its token", async () => {
    const person = await register(service);
    const path = await createPath('reset_password', person);
    await service.api.get(path);
    await newPassword(path, 'short');
    await service.api.delete(path);
    await newPassword(path);
    await newPassword(path);
    const log = service.log.map((line) => JSON.stringify(line)).join('\n');
    assert.ok(log.includes('"/account/reset-password/{token}"'));
    assert.equal(log.includes(path.split('/').at(-1)!), false);
  });
});

describe('link pages when the service fails', () => {
  test('link pages respond to a failure with 500 and a page without detail, and log no token', async (context) => {
    const service = await openService(context, 'sqlite');
    const person = await register(service);
    const token = await createTestLink(service, 'verify_email', { user: person });
    await service.database.close();
    const path = `${LINK_PATHS.verify_email}${token}`;
    for (const response of [await service.api.get(path), await submit(service, path)]) {
      assert.equal(response.status, 500);
      assert.equal(getHeading(response), 'Something went wrong');
      assert.doesNotMatch(response.text, /database|sqlite/i);
    }
    const log = service.log.map((line) => JSON.stringify(line)).join('\n');
    assert.match(log, /internal_error/);
    assert.equal(log.includes(token), false);
  });
});

describe('link pages with the policy nist', () => {
  const service = useService('sqlite', { environment: { PASSWORD_POLICY: 'nist' } });

  test('link pages with the policy nist state its rules, and explain a rejected password', async () => {
    const path = `${LINK_PATHS.reset_password}${await createTestLink(service, 'reset_password', { user: await register(service) })}`;
    const page = await service.api.get(path);
    assert.match(page.text, /At least 15 characters, not a common password/);
    assert.match(page.text, /minlength="15"/);
    const response = await submit(service, path, { fields: { password: '12345678901234567890' } });
    assert.equal(response.status, 400);
    assert.match(response.text, /<p>The given password is too common/);
  });
});

describe('link pages below a path', () => {
  const environment = { PUBLIC_URL: 'https://desk.example/base/' };
  const service = useService('sqlite', { environment });

  test('link pages refer to a style sheet that exists and redirect below the path of PUBLIC_URL', async () => {
    const path = `${LINK_PATHS.verify_email}${await createTestLink(service, 'verify_email', { user: await register(service) })}`;
    const page = await service.api.get(path);
    const [, style] = page.text.match(/rel="stylesheet" href="\/base(\/assets\/[^"]*)"/)!;
    assert.equal((await service.api.get(style!)).status, 200);
    assert.match(page.text, /<title>Confirm your email address – Frontdesk</);
    assert.equal((await submit(service, path)).headers.get('location'), '/base/account/email-verified');
  });
});
