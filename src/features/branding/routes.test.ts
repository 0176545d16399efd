import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { numberAllEvents } from '../../../test/support/events.ts';
import { describeOnPostgres, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  admin,
  editor,
  openService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { sql } from '../../database/database.ts';
import { readLatestOfSubject } from '../events/queries.ts';
import { MAIL_KINDS } from './preview-pages.ts';

const SETTINGS = '/api/v1/admin/settings';
const toPath = (language: string) => `/api/v1/admin/texts/${language}`;
const TITLE = 'people.sign_in.title';
const BREAK = sql("update run_time_settings set value = $1 where name = 'texts.de'");

const put = ({ api }: TestService, texts: unknown, { language = 'de', etag = '*' } = {}) =>
  api.request('PUT', toPath(language), { ...admin, body: { texts }, headers: { 'if-match': etag } });
const readTitle = async ({ service }: TestService, language = 'de') => {
  const html = await (await fetch(`${service.url}/sign-in?lang=${language}`)).text();
  return /<h1>(.*)<\/h1>/.exec(html)?.[1];
};

describeOnSqlite('texts at run time', (engine) => {
  const service = useService(engine);
  const list = async (language = 'de') => {
    const { body, headers } = await service.api.get(toPath(language), admin);
    const texts = new Map<string, Record<string, unknown>>(
      body.data.texts.map((text: { key: string }) => [text.key, text]),
    );
    return { data: body.data, texts, etag: headers.get('etag')! };
  };

  test('own texts replace those of files at once, are listed beside them, and are recorded', async () => {
    const before = await list();
    assert.deepEqual([before.data.language, before.data.languages], ['de', ['en', 'de']]);
    assert.deepEqual(before.texts.get('people.sign_in.text'), {
      ...{ key: 'people.sign_in.text', own: null, placeholders: ['service'] },
      default: before.texts.get('people.sign_in.text')!.default,
    });
    const original = await readTitle(service);
    assert.equal(before.texts.get(TITLE)!.default, original);
    const changed = await put(service, { [TITLE]: 'Grüezi' }, { etag: before.etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), before.etag);
    assert.equal(await readTitle(service), 'Grüezi');
    assert.notEqual(await readTitle(service, 'en'), 'Grüezi');
    const after = await list();
    assert.equal(after.etag, changed.headers.get('etag'));
    assert.partialDeepStrictEqual(after.texts.get(TITLE), { default: original, own: 'Grüezi' });
    await numberAllEvents(service.database);
    const [event] = await readLatestOfSubject(service.database, 'settings', 1);
    assert.deepEqual(JSON.parse(event!.data!).changes, [
      { name: `texts.de.${TITLE}`, from: null, to: 'Grüezi' },
    ]);

    const late = await put(service, {}, { etag: before.etag });
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed']);
    const same = await put(service, { [TITLE]: 'Grüezi' });
    assert.equal(same.headers.get('etag'), after.etag, 'nothing has changed');
    assert.equal((await put(service, {})).status, 200);
    assert.equal(await readTitle(service), original);
  });

  test('a text of the fallback that the language lacks, and texts of both languages, apply together', async () => {
    await put(service, { [TITLE]: 'Welcome' }, { language: 'en' });
    await put(service, { [TITLE]: 'Willkommen' });
    assert.deepEqual([await readTitle(service, 'en'), await readTitle(service)], ['Welcome', 'Willkommen']);
    await put(service, {}, { language: 'en' });
    await put(service, {});
  });

  test('a change of texts is rejected as a whole with one message per wrong text', async () => {
    const wrong = {
      'no.such.text': 'x',
      toString: 'x',
      locale: 'de-CH',
      'mail.greeting': 'Hallo {nom},',
      'mail.greeting_without_name': 'Hallo {',
      'mail.reset_password.subject': 'Passwort\r\nBcc: victim@example.com',
      'mail.reset_password.text': 'x'.repeat(2_001),
      'mail.sign_in_code.text': 'Der Code ist geheim.',
      'mail.verify_email.text': '  ',
      'people.sign_up.title': 'Konto \u202e',
    };
    const rejected = await put(service, { [TITLE]: 'Gut', ...wrong });
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'validation_failed']);
    assert.deepEqual(Object.keys(rejected.body.errors).sort(), Object.keys(wrong).sort());
    assert.match(
      rejected.body.errors['mail.greeting'][0],
      /unknown placeholder \{nom\}; it can have \{name\}/,
    );
    assert.equal((await list()).texts.get(TITLE)!.own, null);
    assert.equal((await put(service, {}, { language: 'fr' })).status, 404);
    assert.equal((await service.api.get(toPath('..'), admin)).status, 404);
  });

  test('stored texts that another release has written and this one does not know are ignored', async () => {
    await put(service, { [TITLE]: 'Hallo' });
    const stored = { [TITLE]: 'Servus', 'no.such.text': 'x', 'mail.greeting': '{nom}' };
    await service.database.transaction((tx) => tx.run(BREAK, JSON.stringify(stored)));
    await put(service, { [TITLE]: 'Tach' }, { language: 'en' });
    assert.equal(await readTitle(service), 'Servus');
    assert.deepEqual(
      service.log.filter(({ msg }) => msg === 'a stored setting is invalid and ignored'),
      [],
    );
    await put(service, {}, { language: 'en' });
    await put(service, {});
  });

  test('no text becomes HTML or a script in pages and messages, nor a second line in a subject', async () => {
    const markup = fc.constantFrom(
      '<script>',
      '"><img src=x onerror=',
      "'",
      '&lt;',
      '</title>',
      '<%= 1 %>',
      '{',
      '{service}',
    );
    const hostile = fc.array(fc.oneof(markup, fc.string({ unit: 'binary', maxLength: 8 })), {
      minLength: 1,
      maxLength: 4,
    });
    const keys = [TITLE, 'people.field.email', 'mail.verify_email.subject', 'mail.verify_email.action'];
    const count = (html: string) => html.match(/<[a-z!/]/gi)!.length;
    const plain = await preview({ page: 'sign_in' });
    const mail = await preview({ page: 'mail' });
    await fc.assert(
      fc.asyncProperty(hostile, async (parts) => {
        const text = parts.join('');
        const texts = Object.fromEntries(keys.map((key) => [key, text]));
        const pages = [await preview({ page: 'sign_in', texts }), await preview({ page: 'mail', texts })];
        assert.deepEqual(pages.map(count), [plain, mail].map(count), text);
        const stored = await put(service, texts, { language: 'en' });
        if (stored.status === 200) assert.doesNotMatch(text, /\p{Cc}/u);
        else assert.equal(stored.status, 400, text);
      }),
      { numRuns: 10 },
    );
    await put(service, {}, { language: 'en' });
  });

  const send = (body: object) =>
    fetch(`${service.service.url}/api/v1/admin/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ language: 'en', ...body }),
    });
  const preview = async (body: object) => {
    const response = await send(body);
    assert.equal(response.status, 200);
    return response.text();
  };

  test('a preview shows name, colour and texts that are not stored, and changes nothing', async () => {
    const settings = { INSTANCE_NAME: 'Hopper & Co', BRAND_COLOR: '#0b7a53' };
    const response = await send({ page: 'sign_in', settings, texts: { [TITLE]: 'Come in' } });
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'; sandbox/);
    const html = await response.text();
    assert.match(html, /<h1>Come in<\/h1>/);
    assert.match(html, /<bdi>Hopper &amp; Co<\/bdi>/);
    assert.match(html, /href="\/brand\.css\?color=0b7a53"/);
    assert.notEqual(await readTitle(service, 'en'), 'Come in');
    assert.doesNotMatch(await preview({ page: 'sign_in', settings: { BRAND_COLOR: 'red' } }), /brand\.css/);
    assert.equal((await send({ page: 'sign_in', language: 'fr' })).status, 404);
    assert.equal((await send({ page: 'other' })).status, 400);
  });

  test('the preview of the page to sign in has the button for passkeys where the host has passkeys, and only there', async () => {
    for (const [host, hasPasskeys] of [
      ['localhost', true],
      ['127.0.0.1', false],
    ] as const) {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, accept: 'text/html', host };
      const body = { page: 'sign_in', language: 'en' };
      const { status, text } = await service.api.post('/api/v1/admin/preview', body, { headers });
      assert.equal(status, 200, text);
      assert.equal(text.includes('<form class="passkey"'), hasPasskeys, host);
    }
  });

  test('every page and every message can be previewed in every language', async () => {
    for (const language of ['en', 'de']) {
      for (const page of ['sign_in', 'sign_up', 'set_password', 'account', 'form'])
        assert.match(
          await preview({ page, language }),
          new RegExp(`<html lang="${language}".*<h[12]`, 's'),
          page,
        );
      for (const message of MAIL_KINDS) {
        const html = await preview({ page: 'mail', message, language, settings: { BRAND_COLOR: '#ffd400' } });
        assert.match(html, new RegExp(`<html lang="${language}".*#ffd400.*<h1>`, 's'), message);
        assert.doesNotMatch(html, /undefined|\{\w+\}/, message);
      }
    }
  });

  test('BRAND_COLOR changes the style sheet of pages and is rejected unless it is a hexadecimal colour', async () => {
    const patch = (BRAND_COLOR: string | null) => service.api.patch(SETTINGS, { BRAND_COLOR }, editor);
    const rejected = await patch('tomato');
    assert.equal(rejected.status, 400);
    assert.match(rejected.body.errors.BRAND_COLOR[0], /must be a hexadecimal colour such as #3f52d4/);
    assert.equal((await patch('#FD0')).status, 200);
    const html = await (await fetch(`${service.service.url}/sign-in`)).text();
    const [, url] = /href="(\/brand\.css[^"]+)"/.exec(html)!;
    const style = await fetch(service.service.url + url);
    assert.deepEqual([style.status, style.headers.get('content-type')], [200, 'text/css; charset=utf-8']);
    assert.match(await style.text(), /--accent-fill: #ffdd00;\n.*\n {2}--on-accent: #000000;/);
    await patch(null);
    assert.doesNotMatch(await (await fetch(`${service.service.url}/sign-in`)).text(), /brand\.css/);
    for (const wrong of ['?color=red', '?color=fff;}*{color:red', ''])
      assert.ok([400, 404].includes((await fetch(`${service.service.url}/brand.css${wrong}`)).status), wrong);
  });
});

describeOnPostgres('texts on two nodes', () => {
  test('texts that one node changes take effect on another, and stay after a restart', async (context) => {
    const one = await openService(context, 'postgres');
    await put(one, { [TITLE]: 'Grüezi' });
    const two = await openService(context, 'postgres', { testDatabase: one.testDatabase });
    assert.equal(await readTitle(two), 'Grüezi');
    await put(one, { [TITLE]: 'Moin' });
    await until(async () => (await readTitle(two)) === 'Moin', 'the text');
  });
});
