import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishTestForm } from '../../../../test/support/forms.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import { sql } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time.ts';
import { renderMail } from '../../mail/content/render-mail.ts';
import { createTexts } from '../../texts/texts.ts';

const QUEUED = sql<{ email: string; next_attempt_at: number; origin: string; data: string }>(`
  select email, next_attempt_at, origin, data from jobs where kind = 'form_submissions' and data like $1
  order by next_attempt_at, email`);

describeOnEachEngine('messages about submissions', (engine) => {
  const start = Date.UTC(2026, 0, 1);
  const time = { now: start };
  const service = useService(engine, { clock: () => time.now });
  const submit = async (path: string, now: number, options: object = {}) => {
    time.now = now;
    const answers = { answers: { full_name: 'Secret' } };
    assert.equal((await service.api.post(`${path}/submissions`, answers, options)).status, 201);
  };
  const listQueued = async (title: string) => {
    const rows = await service.database.all(QUEUED, `%"${title}"%`);
    assert.ok(rows.every(({ data, origin }) => !data.includes('Secret') && origin === 'administrator'));
    return rows.map(({ email, next_attempt_at }) => [email, next_attempt_at - start]);
  };

  test('each submission is announced to each address, and held ones are not', async () => {
    const notify = { addresses: ['a@example.com', 'b@example.com'], every: 'submission' };
    const path = await publishTestForm(service, { title: 'Each', notify });
    assert.deepEqual((await service.api.get(path, admin)).body.data.notify, notify);
    assert.equal((await service.api.get(path)).body.data.notify, undefined);
    for (let number = 0; number < 12; number++)
      await submit(path, start, { headers: { 'accept-language': 'de' } });
    const queued = await listQueued('Each');
    assert.equal(queued.length, 20);
    assert.deepEqual(new Set(queued.map(([email]) => email)), new Set(notify.addresses));
  });

  test('submissions are announced once an hour, and none is left out', async () => {
    const notify = { addresses: ['a@example.com'], every: 'hour' };
    const path = await publishTestForm(service, { title: 'Hourly', notify });
    for (const now of [0, 1, HOUR - 1, HOUR, 3 * HOUR]) await submit(path, start + now);
    assert.deepEqual(await listQueued('Hourly'), [
      ['a@example.com', HOUR],
      ['a@example.com', 2 * HOUR],
      ['a@example.com', 4 * HOUR],
    ]);
    await Promise.all(Array.from({ length: 8 }, () => submit(path, start + 5 * HOUR)));
    assert.equal((await listQueued('Hourly')).length, 4);
  });
});

test('the message about a submission names the form and the time in the language of its texts', async () => {
  const texts = await createTexts(null);
  const render = async (language: string, reason: string) => {
    const content = {
      kind: 'form_submissions',
      locale: null,
      service: 'Example',
      brandColor: null,
      name: null,
    } as const;
    const operator = { form: 'Contact <us>', reason };
    const at = Date.UTC(2026, 0, 5, 9, 30);
    return renderMail(texts, { ...content, language, at, newEmail: null, link: null, values: operator });
  };
  const { subject, text, html } = await render('en', 'hour');
  assert.equal(subject, 'New submissions to a form of Example');
  assert.match(
    text,
    /The form “Contact <us>” of Example has received at least one submission since 5 Jan 2026/,
  );
  assert.ok(html.includes('Contact &lt;us&gt;'));
  assert.match(
    (await render('en', 'submission')).text,
    /has received a submission on 5 Jan 2026, 09:30 UTC\./,
  );
  assert.match((await render('de', 'submission')).text, /hat am 5\. Jan\. 2026.* eine Einsendung erhalten/);
});
