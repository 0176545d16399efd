import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { getHeading } from '../../../../test/support/browser/account-pages.ts';
import {
  ANSWERS,
  getAction,
  LAB_DAY,
  listSubmissions,
  ORIGIN,
  publishPage,
  sendForm,
} from '../../../../test/support/form-pages.ts';
import { createTestForm, insertTestSubmissions, publishNextVersion } from '../../../../test/support/forms.ts';
import { limited } from '../../../../test/support/limits.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { admin, useService, useSharedService } from '../../../../test/support/service.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { createPageKeys } from './receive-page.ts';

const DECOY = 'submission:website';
const without = (name: string) => ANSWERS.filter(([each]) => each !== name);
const withValue = (name: string, value: string) => [...without(name), [name, value] as const];
const directives = ({ headers }: ApiResponse) => headers.get('content-security-policy')!.split('; ');

describeOnEachEngine('the page of a form', (engine) => {
  const service = useSharedService(engine);
  const open = async (path: string) => getAction(await service.api.get(path));

  test('the page stores typed answers, and leads to a page that can be reloaded', async () => {
    const { api, page } = await publishPage(service);
    const sent = [
      ...[...ANSWERS, ['email', ' Ada@example.com '], ['day', '2026-12-12'], ['city', ''], ['meal', '']],
      ...[
        ['try', 'Laser'],
        ['try', 'Radio'],
        ['more', 'one\r\ntwo'],
      ],
    ] as [string, string][];
    const response = await sendForm(service, await open(page), sent);
    assert.deepEqual([response.status, response.headers.get('location')], [303, `${page}/thanks`]);
    for (let reload = 0; reload < 2; reload++)
      assert.equal(getHeading(await service.api.get(`${page}/thanks`)), 'Thank you');
    const [stored] = await listSubmissions(service, api, '?held=include');
    assert.deepEqual(stored.answers, {
      full_name: 'Ada',
      email: 'Ada@example.com',
      people: 2,
      day: '2026-12-12',
      session: 'Late',
      try: ['Laser', 'Radio'],
      more: 'one\ntwo',
      consent: true,
    });
    assert.deepEqual([stored.version, stored.user_id], [1, null]);
  });

  test('rejected answers are shown beside their errors, and nothing is stored', async () => {
    const { api, page } = await publishPage(service);
    const sent: [string, string][] = [
      ['full_name', '"><i>'],
      ['people', '1,5'],
      ['email', 'ada@'],
      ['try', 'Radio'],
      ['more', '\na'],
    ];
    const response = await sendForm(service, page, sent);
    assert.equal(response.status, 422);
    assert.match(response.text, /<title>Error: Open Lab Day/);
    assert.match(response.text, /<h2>4 answers are missing or wrong<\/h2>/);
    assert.match(response.text, /role="alert" tabindex="-1" autofocus/);
    for (const [id, text] of [
      ['f1', 'Enter an email address, such as name@example.com.'],
      ['f2', 'Enter a number in digits only, such as 3.5: no unit, no separators of thousands.'],
      ['f4', 'Choose one of the options.'],
      ['f9', 'This has to be accepted.'],
    ] as const) {
      assert.ok(response.text.includes(`<p class="error" id="${id}-error">${text}</p>`), text);
      assert.match(response.text, new RegExp(`<li><a href="#${id}">`));
    }
    for (const kept of [
      'value="&quot;&gt;&lt;i&gt;"',
      'value="1,5"',
      'value="ada@"',
      'value="Radio" checked',
      '>\n\na</textarea>',
    ])
      assert.ok(response.text.includes(kept), kept);
    assert.deepEqual(await listSubmissions(service, api, '?held=include'), []);
  });

  test('unknown names, several values of one field and a date that does not exist are shown as errors', async () => {
    const { page } = await publishPage(service);
    const sent = [...ANSWERS, ['other', 'x'], ['full_name', 'b'], ['day', '2026-02-30']] as [
      string,
      string,
    ][];
    const { status, text } = await sendForm(service, page, sent);
    assert.equal(status, 422);
    assert.match(text, /<bdi>other<\/bdi> – The form does not have this field\./);
    assert.match(text, /id="f0-error">This answer cannot be used/);
    const names = Array.from({ length: 30 }, (_, index) => [`other-${index}`, ''] as const);
    const many = await sendForm(service, page, [...ANSWERS, ...names]);
    assert.equal(many.text.match(/The form does not have this field/g)?.length, 20);
    // An input for dates would not show it.
    assert.match(text, /name="day" type="text" value="2026-02-30"/);
  });

  test('a page that is sent again, also at the same time, is stored once, whatever has become of the form', async () => {
    const { api, page } = await publishPage(service, { max_submissions: 1 });
    const action = await open(page);
    const send = () => sendForm(service, action, withValue(DECOY, 'https://spam.example'));
    const responses = await Promise.all(Array.from({ length: 5 }, send));
    const [held] = await listSubmissions(service, api, '?held=only');
    await service.api.post(`${api}/submissions/${held.id}/release`, undefined, admin);
    responses.push(await sendForm(service, action, withValue('full_name', '')));
    await service.api.post(`${api}/close`, undefined, admin);
    responses.push(await sendForm(service, action));
    const locations = responses.map(({ status, headers }) => `${status} ${headers.get('location')}`);
    const first = Array.from({ length: 6 }, () => `303 ${page}/thanks`);
    assert.deepEqual(locations.sort(), [...first, `303 ${page}/thanks?again=1`]);
    assert.equal((await listSubmissions(service, api, '?held=include')).length, 1);
    const shown = await service.api.get(`${page}/thanks?again=1`);
    assert.equal(getHeading(shown), 'Your answers were sent before');
    assert.ok(shown.text.includes(`href="${page}"`));
  });

  test('a second press leads to the page of the owner, like the first; other answers, which are not stored, do not', async () => {
    const url = 'https://www.example.com/thanks';
    const { page } = await publishPage(service, { thanks: { url } });
    const action = await open(page);
    const sent = [ANSWERS, ANSWERS, withValue('full_name', 'Grace')];
    const locations = [];
    for (const answers of sent)
      locations.push((await sendForm(service, action, answers)).headers.get('location'));
    assert.deepEqual(locations, [url, url, `${page}/thanks?again=1`]);
  });

  test('two pages, and a page after a rejected answer, have keys of their own', async () => {
    const { api, page } = await publishPage(service);
    const [first, second] = [await open(page), await open(page)];
    assert.notEqual(first, second);
    const rejected = await sendForm(service, first, without('consent'));
    assert.equal(getAction(rejected), first);
    for (const action of [first, second]) assert.equal((await sendForm(service, action)).status, 303);
    assert.equal((await listSubmissions(service, api, '?held=include')).length, 2);
  });

  test('a page of another version, or with a key of another form, is shown again with its answers', async () => {
    const { api, page } = await publishPage(service);
    const action = await open(page);
    const foreign = (await open((await publishPage(service)).page)).replace(/^[^?]*/, page);
    const fields = LAB_DAY.fields.filter(({ label }) => label !== 'meal');
    await publishNextVersion(service, api, { ...LAB_DAY, title: 'Second', fields });
    for (const old of [action, foreign, `${page}?key=x`]) {
      const shown = await sendForm(service, old);
      assert.deepEqual([shown.status, getHeading(shown)], [409, undefined]);
      assert.match(shown.text, /<h2>The form has changed<\/h2>/);
      assert.match(shown.text, /value="Ada"/);
      assert.equal((await sendForm(service, getAction(shown))).status, 303);
    }
    const stored = await listSubmissions(service, api, '?held=include');
    assert.deepEqual(pluck(stored, 'version'), [2, 2, 2]);
  });

  test('labels such as __proto__ and _redirect are fields like any other', async () => {
    const labels = ['__proto__', 'constructor', 'toString', '_redirect'];
    const fields = labels.map((label) => ({ label, type: 'text', is_required: true }));
    const { api, page } = await publishPage(service, { fields });
    const sent = labels.map((label) => [label, `${ORIGIN}/${label}`] as const);
    const rejected = await sendForm(service, await open(page), sent.slice(0, 3));
    for (const [, value] of sent.slice(0, 3)) assert.ok(rejected.text.includes(`value="${value}"`), value);
    const response = await sendForm(service, await open(page), sent);
    assert.equal(response.headers.get('location'), `${page}/thanks`);
    const [stored] = await listSubmissions(service, api, '?held=include');
    assert.deepEqual(Object.entries(stored.answers), sent);
  });

  test('a page of an allowed origin sends answers, and is led back by 303 to an allowed origin only', async () => {
    const { api, page } = await publishPage(service, { thanks: { url: `${ORIGIN}/dänke` } });
    const headers = { origin: ORIGIN, 'sec-fetch-site': 'cross-site' };
    const targets = [
      `${ORIGIN}/done?a=1`,
      'https://evil.example/',
      'javascript:alert(1)',
      '//evil.example',
      '\n',
    ];
    const locations = await Promise.all(
      targets.map(async (target) => {
        const response = await sendForm(service, page, [...ANSWERS, ['_redirect', target]], headers);
        return response.headers.get('location');
      }),
    );
    const thanks = `${ORIGIN}/d%C3%A4nke`;
    assert.deepEqual(locations, [targets[0], thanks, thanks, thanks, thanks]);
    assert.equal((await listSubmissions(service, api)).length, targets.length);
    const rejected = await sendForm(
      service,
      page,
      [...without('people'), ['_redirect', targets[0]!]],
      headers,
    );
    assert.equal(rejected.status, 422);
    assert.ok(rejected.text.includes(`<input type="hidden" name="_redirect" value="${targets[0]}">`));
  });

  test('a page of another origin cannot send answers', async () => {
    const { api, page } = await publishPage(service);
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: `${ORIGIN}:8443` },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const response = await sendForm(service, page, ANSWERS, headers);
      assert.deepEqual([response.status, getHeading(response)], [403, 'The answers were not accepted']);
    }
    assert.deepEqual(await listSubmissions(service, api, '?held=include'), []);
    for (const headers of [{ origin: service.api.url }, { origin: 'null', 'sec-fetch-site': 'same-origin' }])
      assert.equal((await sendForm(service, page, ANSWERS, headers)).status, 303);
  });

  test('a form that is unknown, a draft, closed, full or for users has a page that says so', async () => {
    const draft = await createTestForm(service);
    for (const path of [`/f/${draft.id}`, '/f/x', `/f/${draft.id}/thanks`]) {
      const response = await service.api.get(path);
      assert.deepEqual([response.status, getHeading(response)], [404, 'There is no such form']);
      assert.ok(directives(response).includes("frame-ancestors 'none'"));
    }
    assert.equal((await sendForm(service, `/f/${draft.id}`)).status, 404);
    const closed = await publishPage(service);
    await service.api.post(`${closed.api}/close`, undefined, admin);
    const full = await publishPage(service, { max_submissions: 1 });
    assert.equal((await sendForm(service, full.page)).status, 303);
    const cases = [
      [closed, 'The form is closed', 409],
      [full, 'All places are taken', 409],
      [await publishPage(service, { access: 'token' }), 'Open this form in the application', 401],
      [await publishPage(service, { opens_at: '2999-01-01T00:00:00Z' }), 'The form is not open yet', 409],
    ] as const;
    for (const [{ page }, heading, status] of cases) {
      const shown = await service.api.get(page);
      assert.deepEqual([shown.status, getHeading(shown)], [200, heading]);
      assert.match(shown.text, /“Open Lab Day”/);
      assert.doesNotMatch(shown.text, /not stored/);
      const sent = await sendForm(service, page);
      assert.deepEqual([sent.status, getHeading(sent)], [status, heading]);
      assert.match(sent.text, /Your answers are not stored\./);
      assert.ok(directives(sent).includes(`frame-ancestors ${ORIGIN}`));
    }
  });
});

describeOnSqlite('pages that look like spam', (engine) => {
  const time = { now: Date.UTC(2026, 0, 1) };
  const service = useService(engine, { clock: () => time.now });

  test('a page that looks like spam and is one too many says that nothing is stored, and can be sent again', async () => {
    const { api, page } = await publishPage(service);
    await insertTestSubmissions(service, api, {
      answers: Array.from({ length: 1_000 }, () => ({})),
      held: 1,
    });
    const action = getAction(await service.api.get(page));
    const rejected = await sendForm(service, action);
    assert.equal(rejected.status, 429);
    assert.match(rejected.text, /Your answers are not stored\./);
    assert.match(rejected.text, /Go back and send the form again/);
    time.now += 2_000;
    assert.equal((await sendForm(service, action)).status, 303);
    assert.equal((await listSubmissions(service, api)).length, 1);
  });

  const readReasons = async (api: string) =>
    (await listSubmissions(service, api, '?held=include&limit=100')).map(
      ({ held_reason = null }: { held_reason?: string | null }) => held_reason,
    );

  test('pages that people had for two seconds are not held, however many come from one network, and do not count for others', async () => {
    const { api, page } = await publishPage(service, { max_per_minute: 1 });
    const actions = await Promise.all(
      Array.from({ length: 30 }, async () => getAction(await service.api.get(page))),
    );
    time.now += 2_000;
    for (const action of actions) assert.equal((await sendForm(service, action)).status, 303);
    for (const _ of [1, 2]) assert.equal((await sendForm(service, page)).status, 303);
    assert.deepEqual(await readReasons(api), ['too_many', ...Array(31).fill(null)]);
  });

  test('a page that is corrected at once, also after Back, is not held for its speed, but counts for its network', async () => {
    const { api, page } = await publishPage(service, { max_per_minute: 3 });
    const open = async () => getAction(await service.api.get(page));
    const sendWrong = (action: string) => sendForm(service, action, without('people'));
    const reject = async (action: string) => {
      const rejected = await sendWrong(action);
      assert.equal(rejected.status, 422);
      return getAction(rejected);
    };
    assert.equal((await sendForm(service, await reject(await open()))).status, 303);
    assert.equal((await sendForm(service, await reject(await reject(page)))).status, 303);
    const first = await open();
    await reject(first);
    assert.equal((await sendForm(service, first)).status, 303);
    assert.deepEqual(await readReasons(api), [null, null, null]);
    await sendForm(service, await reject(await open()));
    await sendForm(service, await open());
    assert.deepEqual(await readReasons(api), ['too_fast', 'too_many', null, null, null]);
  });

  test('the key of corrections after a page of others is marked, so that all nodes know them', () => {
    const key = { id: newId(), version: 1, sentAt: time.now, mark: 'c' } as const;
    const written = createPageKeys('secret').write('form', key);
    assert.deepEqual(createPageKeys('secret').read('form', written), { ...key, isCorrection: true });
    assert.equal(createPageKeys('secret').read('form', written.replace('c.', '.')), null);
  });

  test('a page with a filled decoy or returned within two seconds is held, and its sender does not learn it', async () => {
    const { api, page } = await publishPage(service);
    const held: (string | null)[] = [];
    for (const [wait, decoy] of [
      [1_999, ''],
      [2_000, ''],
      [2_000, 'https://spam.example'],
    ] as const) {
      const action = getAction(await service.api.get(page));
      time.now += wait;
      const response = await sendForm(service, action, withValue(DECOY, decoy));
      assert.equal(response.headers.get('location'), `${page}/thanks`);
      time.now += 60_000;
      held.push((await readReasons(api))[0]);
    }
    assert.deepEqual(held, ['too_fast', null, 'decoy']);
    // A page of the operator has no time.
    assert.equal((await sendForm(service, page)).status, 303);
    assert.equal((await listSubmissions(service, api)).length, 2);
  });
});

describeOnSqlite('the HTML of forms', (engine) => {
  const service = useSharedService(engine);

  test('each kind of field has its control, and the page has no script', async () => {
    const { page } = await publishPage(service);
    const { text, headers } = await service.api.get(page);
    for (const part of [
      '<label for="f0"><bdi>Full name</bdi><span class="error">&nbsp;*</span></label>',
      '<input id="f0" name="full_name" type="text" value="" dir="auto" aria-required="true">',
      '<input id="f1" name="email" type="text" value="" dir="auto" inputmode="email" autocomplete="email"',
      'aria-describedby="f1-help"',
      '<input id="f2" name="people" type="text" value="" dir="auto" inputmode="decimal" aria-required="true"',
      'From 1 to 6.',
      '<input id="f3" name="day" type="date" value="" dir="auto" min="2026-12-11" max="2026-12-13"',
      'From December 11, 2026 to December 13, 2026.',
      '<fieldset class="field" role="radiogroup" aria-required="true">',
      '<input type="radio" id="f4" name="session" value="Early">',
      '<input type="radio" id="f4-1" name="session" value="Late">',
      '<select id="f5" name="city">\n<option value="">Choose…</option>\n<option value="A">A</option>',
      '<input type="checkbox" id="f6" name="try" value="Radio">',
      '<input type="radio" id="f7-2" name="meal" value=""><bdi>No answer</bdi>',
      '<textarea id="f8" name="more" rows="4" dir="auto" aria-describedby="f8-help">',
      'At most 20 characters.',
      '<input type="checkbox" id="f9" name="consent" aria-required="true">',
      '<bdi>I accept &lt;b&gt;the terms&lt;/b&gt;.</bdi>',
    ])
      assert.ok(text.includes(part), part);
    assert.doesNotMatch(text, /<script|javascript:|novalidate/);
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    assert.equal(headers.get('x-frame-options'), null);
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.match(headers.get('vary')!, /Accept-Language/);
  });

  test('a form is shown in frames of the allowed origins only, where it has one script', async () => {
    const { page } = await publishPage(service);
    const plain = await service.api.get(page);
    assert.ok(directives(plain).includes(`frame-ancestors ${ORIGIN}`));
    assert.ok(directives(plain).includes(`form-action 'self' ${ORIGIN}`));
    assert.ok(directives(plain).includes("script-src 'none'"));
    const framed = await service.api.get(`${page}?embed=1&lang=de`);
    assert.ok(directives(framed).includes("script-src 'self'"));
    assert.equal(framed.text.match(/<script/g)?.length, 1);
    assert.ok(framed.text.includes(`data-origins="${ORIGIN}"`));
    const [{ location }] = [Object.fromEntries((await sendForm(service, getAction(framed))).headers)] as [
      Record<string, string>,
    ];
    assert.equal(location, `${page}/thanks?embed=1&lang=de`);
    const alone = await service.api.get((await publishPage(service, { allowed_origins: [] })).page);
    assert.ok(directives(alone).includes("frame-ancestors 'none'"));
  });

  test('the script for pages with frames is smaller than a kilobyte, and pages of others may load it', async () => {
    const { status, text, headers } = await service.api.get('/embed.js');
    assert.equal(status, 200);
    assert.ok(text.length <= 1_000, `${text.length} bytes`);
    assert.match(headers.get('content-type')!, /javascript/);
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(headers.get('cache-control'), 'public, max-age=3600');
  });

  test('numbers are read and shown as the language of the page writes them, and errors say what is accepted', async () => {
    const decimal = [{ label: 'weight', type: 'number', is_required: true, min: 0.5, max: 1500.25 }];
    const scale = await publishPage(service, { fields: decimal });
    assert.match((await service.api.get(`${scale.page}?lang=de`)).text, /Von 0,5 bis 1500,25\./);
    for (const [weight, language, error] of [
      ['3,5', 'de', null],
      ['0,25', 'de', 'Geben Sie 0,5 oder mehr ein.'],
      [
        '1.500',
        'de',
        'Geben Sie eine Zahl nur in Ziffern ein, zum Beispiel 3,5: ohne Einheit, ohne Tausenderpunkte.',
      ],
      ['3,5', 'en', 'Enter a number in digits only, such as 3.5: no unit, no separators of thousands.'],
      ['1.500', 'en', null],
    ] as const) {
      const sent = await sendForm(service, `${scale.page}?lang=${language}`, [['weight', weight]]);
      assert.equal(sent.status, error === null ? 303 : 422, weight);
      assert.ok(sent.text.includes(error ?? ''), sent.text);
    }
    const stored = await listSubmissions(service, scale.api);
    assert.deepEqual(pluck(stored, 'answers'), [{ weight: 1.5 }, { weight: 3.5 }]);
  });

  test('the time at which a form opens is that of its time zone', async () => {
    const readNotice = async (time_zone: string | null, lang: string) => {
      const opens_at = '2999-07-01T08:30:00Z';
      const { page } = await publishPage(service, { opens_at, time_zone });
      return /<p>“?„?Open Lab Day[^<]*/.exec((await service.api.get(`${page}?lang=${lang}`)).text)?.[0];
    };
    assert.equal(
      await readNotice('Europe/Berlin', 'en'),
      '<p>“Open Lab Day” opens on 1 Jul 2999, 10:30 (Europe/Berlin).',
    );
    assert.equal(
      await readNotice('America/New_York', 'de'),
      '<p>„Open Lab Day“ öffnet am 1. Juli 2999, 04:30 (America/New_York).',
    );
    assert.equal(await readNotice(null, 'en'), '<p>“Open Lab Day” opens on 1 Jul 2999, 08:30 UTC.');
  });

  test('the text of the form thanks its senders', async () => {
    const { page } = await publishPage(service, { thanks: { text: 'See you <there>!' } });
    assert.match((await service.api.get(`${page}/thanks`)).text, /See you &lt;there&gt;!/);
  });

  test('a body that is no form, or too large, gets a page that says so, and answers are not larger than those of JSON', async () => {
    const { page } = await publishPage(service, {
      fields: [{ label: 'text', type: 'text', is_required: false, options: ['a'], multiple: true }],
    });
    const send = async (raw: string | Uint8Array, type = 'application/x-www-form-urlencoded') => {
      const { status, text } = await service.api.request('POST', page, {
        raw,
        headers: { 'content-type': type },
      });
      return [status, /<h[12]>(.*?)</.exec(text)?.[1]];
    };
    const [rejected, tooLong] = ['The answers were not accepted', 'Your answers are too long'];
    assert.deepEqual(await send('text=%FF'), [400, rejected]);
    assert.deepEqual(await send('{}', 'multipart/form-data; boundary=x'), [415, rejected]);
    assert.deepEqual(await send(`text=${'a'.repeat(800_000)}`), [413, tooLong]);
    assert.deepEqual(await send(`text=${'a'.repeat(263_000)}`), [413, tooLong]);
    assert.deepEqual(await send(`text=${'%61'.repeat(200_000)}`), [422, '1 answer is missing or wrong']);
    assert.deepEqual(await send('text=a&'.repeat(40_011)), [400, rejected]);
    assert.equal((await sendForm(service, page, [])).status, 303);
  });
});

describeOnSqlite('pages of forms below a path', (engine) => {
  const service = useService(engine, { environment: { PUBLIC_URL: 'https://id.example.com/base' } });

  test('pages of forms begin with the path of PUBLIC_URL, whose origin may send them', async () => {
    const { page } = await publishPage(service);
    const shown = await service.api.get(page);
    assert.ok(getAction(shown).startsWith(`/base${page}?key=`));
    assert.match(shown.text, /href="\/base\/assets\/form-/);
    const action = getAction(shown).slice('/base'.length);
    const sent = await sendForm(service, action, ANSWERS, { origin: 'https://id.example.com' });
    assert.equal(sent.headers.get('location'), `/base${page}/thanks`);
    assert.ok((await service.api.get(`${page}/thanks`)).text.includes(`href="/base${page}"`));
  });
});

describeOnSqlite('the limit of pages of forms', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_SUBMISSION: '2/60' }));

  test('pages count with the submissions of the API, and one page says when to go back and send it again', async () => {
    const { api, page } = await publishPage(service);
    await service.api.post(`${api}/submissions`, { answers: {} });
    const action = getAction(await service.api.get(page));
    assert.equal((await sendForm(service, action)).status, 303);
    assert.doesNotMatch((await sendForm(service, page)).text, /Go back/);
    const response = await sendForm(service, action);
    assert.deepEqual([response.status, getHeading(response)], [429, 'Too many attempts']);
    assert.match(response.text, /Go back and send the form again\. It is stored once only\./);
    assert.ok(response.headers.get('retry-after'));
    assert.ok(directives(response).includes(`frame-ancestors ${ORIGIN}`));
  });
});
