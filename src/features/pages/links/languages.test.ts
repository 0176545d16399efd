import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getHeading, submit } from '../../../../test/support/browser/account-pages.ts';
import { publishPage } from '../../../../test/support/form-pages.ts';
import { createTestLink } from '../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  admin,
  editor,
  newUserData,
  startService,
  type TestService,
} from '../../../../test/support/service.ts';
import {
  mailEnvironment,
  startSmtpServer,
  type TestSmtpServer,
} from '../../../../test/support/smtp-server.ts';
import { until } from '../../../../test/support/until.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';

const APP = 'https://app.example.com/';
const german = { 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' };

describeOnSqlite('pages and messages in the language of the request', (engine) => {
  let smtp: TestSmtpServer;
  let service: TestService;
  before(async () => {
    smtp = await startSmtpServer();
    const environment = {
      ...mailEnvironment(smtp),
      APP_URL: APP,
      REDIRECT_URLS: 'https://shop.example.com/in',
    };
    service = await startService(engine, { environment });
  });
  after(async () => {
    await service.stop();
    await smtp.close();
  });

  /** Waits for a message to a person, and returns it. */
  const getMessage = async (email: string, subject: RegExp) => {
    const find = () =>
      smtp.received.find((mail) => mail.to?.[0]?.address === email && subject.test(mail.subject ?? ''));
    await until(() => find() !== undefined, `no message ${subject}`);
    return find()!;
  };

  test('a page has the language that the client prefers among those of the service, and names it', async () => {
    const token = await createTestLink(service, 'reset_password', { user: await register(service) });
    const path = `${LINK_PATHS.reset_password}${token}`;
    for (const [sent, language, heading] of [
      [german['accept-language'], 'de', 'Neues Passwort wählen'],
      ['de', 'de', 'Neues Passwort wählen'],
      ['de;q=0, *', 'en', 'Choose a new password'],
      ['en, de', 'en', 'Choose a new password'],
      ['fr', 'en', 'Choose a new password'],
      ['', 'en', 'Choose a new password'],
      ['!', 'en', 'Choose a new password'],
    ] as const) {
      const page = await service.api.get(path, { headers: { 'accept-language': sent } });
      assert.deepEqual([page.headers.get('content-language'), getHeading(page)], [language, heading], sent);
      assert.match(page.text, new RegExp(`^<!doctype html>\n<html lang="${language}" dir="ltr">`));
      assert.equal(page.headers.get('vary'), 'Accept, Accept-Language');
    }
    const rejected = await submit(service, path, { fields: { password: 'kurz' }, headers: german });
    assert.match(rejected.text, /<title>Fehler: Neues Passwort wählen – Frontdesk<\/title>|<title>Fehler: /);
    assert.match(rejected.text, /<p>Das Passwort muss mindestens 8 Zeichen haben\.<\/p>/);
    const empty = await submit(service, path, { headers: german });
    assert.match(empty.text, /<p>Geben Sie ein Passwort ein\.<\/p>/);
    const unknown = await service.api.get(`${LINK_PATHS.claim_account}x`, { headers: german });
    assert.deepEqual([unknown.status, getHeading(unknown)], [404, 'Dieser Link ist nicht mehr gültig']);
    assert.deepEqual(
      [unknown.headers.get('content-language'), unknown.headers.get('vary')],
      ['de', 'Accept, Accept-Language'],
    );
    for (const [outcome, text] of [
      ['password-set', 'Ihr Passwort ist festgelegt'],
      ['link-requested', 'Prüfen Sie Ihren Posteingang'],
    ])
      assert.equal(getHeading(await service.api.get(`/account/${outcome}`, { headers: german })), text);
  });

  test('a message has the language of the request that has caused it, and its link leads where the request has named', async () => {
    const redirect = 'https://shop.example.com/in/cart?a=b&c=d';
    const person = await register(service);
    await getMessage(person.email, /^Confirm your email address/);
    const body = { email: person.email, redirect_to: redirect };
    const accepted = await service.api.post('/api/v1/password-resets', body, { headers: german });
    assert.equal(accepted.status, 202);
    const message = await getMessage(person.email, /^Neues Passwort für /);
    assert.match(message.text!, /Der Link ist 1 Stunde lang gültig/);
    assert.match(message.html!, /<html lang="de" dir="ltr">/);
    const link = /https?:\/\/\S+\/account\/\S+/.exec(message.text!)![0];
    const { pathname, search, searchParams } = new URL(link);
    assert.equal(searchParams.get('redirect_to'), redirect);
    const path = pathname.slice(pathname.indexOf('/account/')) + search;
    assert.match(
      (await service.api.get(path)).text,
      /href="https:\/\/shop\.example\.com\/in\/cart\?a=b&amp;c=d"/,
    );
    const password = 'paper lantern under the bridge';
    const done = await submit(service, path, { fields: { password }, headers: german });
    const outcome = `/account/password-set?redirect_to=${encodeURIComponent(redirect)}&lang=de`;
    assert.deepEqual([done.status, done.headers.get('location')], [303, outcome]);
    const page = await service.api.get(outcome);
    assert.match(
      page.text,
      /<a class="button primary full" href="https:\/\/shop\.example\.com\/in\/cart\?a=b&amp;c=d">Weiter zu /,
    );
    await getMessage(person.email, /^Ihr Passwort für .* wurde geändert$/);
  });

  test('a message and the pages of its link have the language of the user, not that of the administrator', async () => {
    const { name, email } = newUserData();
    const asGerman = { token: ADMIN_TOKEN, headers: german };
    for (const [locale, subject, language] of [
      ['de-CH', /^Richten Sie Ihr Konto/, 'de'],
      [null, /^Set up your account/, 'en'],
    ] as const) {
      const user = { name, email: `${locale}.${email}`, locale };
      assert.equal((await service.api.post('/api/v1/users', user, asGerman)).status, 201);
      const message = await getMessage(user.email, subject);
      const { pathname, search } = new URL(/https?:\/\/\S+\/account\/\S+/.exec(message.text!)![0]);
      const path = pathname.slice(pathname.indexOf('/account/')) + search;
      const page = await service.api.get(path, { headers: { 'accept-language': 'en' } });
      assert.equal(page.headers.get('content-language'), language);
      const fields = { password: 'paper lantern under the bridge' };
      const done = await submit(service, path, { fields, headers: { 'accept-language': 'en' } });
      const outcome = await service.api.get(done.headers.get('location')!);
      assert.equal(outcome.headers.get('content-language'), language);
    }
  });

  test('people for whom there are no texts get pages, forms and messages in DEFAULT_LOCALE', async (context) => {
    const set = (DEFAULT_LOCALE: string | null) =>
      service.api.patch('/api/v1/admin/settings', { DEFAULT_LOCALE }, editor);
    assert.equal((await set('de-AT')).status, 200);
    context.after(() => set(null));
    const { page: form } = await publishPage(service);
    for (const path of ['/account/reset-password', `${LINK_PATHS.claim_account}x`, '/sign-in', form])
      for (const [sent, language] of [
        ['*', 'de'],
        ['', 'de'],
        ['fr', 'de'],
        ['fr, *;q=0.5', 'de'],
        ['en-US, de;q=0.5', 'en'],
      ] as const) {
        const page = await service.api.get(path, { headers: { 'accept-language': sent } });
        assert.equal(page.headers.get('content-language'), language, `${path} ${sent}`);
      }
    for (const [locale, sent, subject] of [
      [null, 'fr', /^Neues Passwort für /],
      [null, 'en', /^Reset your password /],
      ['fr', 'fr', /^Neues Passwort für /],
      ['en', 'fr', /^Reset your password /],
    ] as const) {
      const user = { ...newUserData(), locale };
      const { email } = await register(service, user);
      const options = { headers: { 'accept-language': sent } };
      assert.equal((await service.api.post('/api/v1/password-resets', { email }, options)).status, 202);
      await getMessage(email, subject);
    }
  });

  test('requests that send links reject a URL that is not allowed, and name the member', async () => {
    const person = await register(service);
    const unclaimed = await createUnclaimedUser(service);
    const redirect_to = 'https://evil.example/';
    const user = { token: person.token };
    const { api } = service;
    const responses = [
      await api.post('/api/v1/password-resets', { email: person.email, redirect_to }),
      await api.post('/api/v1/email-verifications', { email: person.email, redirect_to }),
      await api.post('/api/register', {
        name: 'A',
        email: 'a@example.com',
        password: 'long enough',
        redirect_to,
      }),
      await api.patch('/api/v1/me', { name: 'B', redirect_to }, user),
      await api.post(`/api/v1/users/${unclaimed.id}/links`, { kind: 'claim_account', redirect_to }, admin),
    ];
    for (const { status, body } of responses) {
      assert.equal(status, 400);
      assert.deepEqual(body.errors, {
        redirect_to: ['The redirect_to field must be a URL that APP_URL or REDIRECT_URLS allows.'],
      });
    }
    const allowed = { kind: 'claim_account', redirect_to: `${APP}welcome` };
    const sent = await api.post(`/api/v1/users/${unclaimed.id}/links`, allowed, admin);
    assert.equal(sent.status, 202);
  });

  test('pages lead to the application, and ignore a URL in their address that is not allowed', async () => {
    for (const path of ['/account/password-set', '/account/email-verified', `${LINK_PATHS.verify_email}x`]) {
      const { text } = await service.api.get(`${path}?redirect_to=https%3A%2F%2Fevil.example%2F`);
      assert.match(text, /href="https:\/\/app\.example\.com\/"/, path);
      assert.doesNotMatch(text, /evil/);
    }
  });

  test('the page of a link that is not valid offers another one, which is sent to the address that is entered', async () => {
    const person = await register(service);
    for (const [kind, path] of [
      ['reset_password', '/account/reset-password'],
      ['claim_account', '/account/reset-password'],
      ['verify_email', '/account/verify-email'],
    ] as const) {
      const { text } = await service.api.get(`${LINK_PATHS[kind]}x`);
      assert.ok(text.includes(`<a class="button primary full" href="${path}">Request a new link</a>`), kind);
      assert.equal((await service.api.get(path)).status, 200);
    }
    const { text } = await service.api.get(`${LINK_PATHS.change_email}x`);
    assert.doesNotMatch(text, /Request a new link/);
    for (const path of ['/account/reset-password', '/account/verify-email']) {
      for (const email of [person.email, 'nobody@example.com']) {
        const response = await submit(service, path, { fields: { email } });
        assert.deepEqual(
          [response.status, response.headers.get('location')],
          [303, '/account/link-requested'],
        );
      }
      const rejected = await submit(service, path, { fields: { email: '<nobody>' }, headers: german });
      assert.equal(rejected.status, 400);
      assert.match(rejected.text, /value="&lt;nobody>?(?:&gt;)?"/);
      assert.match(rejected.text, /aria-invalid="true" aria-describedby="email-error"/);
      assert.match(rejected.text, /<p>Geben Sie eine vollständige E-Mail-Adresse ein/);
    }
  });

  test('a wrong file in TEXTS_DIR stops the start with one line that names the file and the text', async (context) => {
    const directory = await mkdtemp(join(tmpdir(), 'frontdesk-texts-'));
    context.after(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, 'de.json'), '{"page.back": "Zurück zu {app}"}');
    await assert.rejects(startService(engine, { environment: { TEXTS_DIR: directory } }), {
      name: 'ConfigError',
      message: `TEXTS_DIR has a file that cannot be used: ${join(directory, 'de.json')}: "page.back" has the unknown placeholder {app}; it can have {service}`,
    });
  });
});
