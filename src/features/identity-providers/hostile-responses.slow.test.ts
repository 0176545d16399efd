import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { startIssuer } from '../../../test/support/upstream/issuer.ts';
import { addProvider, createBrowser, LOOPBACK_ALLOWED } from '../../../test/support/upstream/sign-in.ts';

describeOnSqlite('slow responses of an identity provider', (engine) => {
  const service = useService(engine, { environment: LOOPBACK_ALLOWED });

  test('a provider that does not respond within ten seconds starts no session, and the page names the timeout', async (context) => {
    const issuer = await startIssuer();
    context.after(() => issuer.close());
    const { id } = await addProvider(service, issuer);
    const browser = createBrowser(service);
    const person = { sub: 'slow', email: 'slow@example.com', email_verified: true };
    const query = issuer.authorize(await browser.begin(id), person);
    issuer.behaviour = { replies: { '/token': (response) => response.write(' ') } };
    const { status, text } = await browser.get(`/sign-in/callback/${id}?${query}`);
    assert.equal(status, 400);
    assert.match(text, /\(timeout\)/);
    assert.equal(browser.hasSession(), false);
  });
});
