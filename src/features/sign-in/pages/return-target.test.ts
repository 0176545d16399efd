import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPages } from '../../pages/account-pages/page-view.ts';
import { createTexts } from '../../texts/texts.ts';
import { type HostedPageDeps, openHostedPage } from './hosted-pages.ts';

const current = { instanceName: 'Hopper Labs', appUrl: null, logo: null };

async function open(returnTo: string) {
  const texts = await createTexts(null);
  const settings = { current } as unknown as HostedPageDeps['settings'];
  const openPage = createPages({ settings, basePath: '', texts, allowRedirect: () => null });
  const describeReturn: HostedPageDeps['describeReturn'] = async (path) =>
    path.startsWith('/oauth/')
      ? { applicationName: 'Orders', formActionOrigin: 'https://orders.example.org' }
      : null;
  const deps = { basePath: '', openPage, describeReturn, passwordPolicy: { kind: 'nist', minLength: 15 } };
  const request = { method: 'GET', headers: {}, query: { return_to: returnTo }, body: undefined };
  const context = await openHostedPage(deps as unknown as HostedPageDeps, request);
  return { ...context, policy: context.render({ title: 'x' }).headers['content-security-policy']! };
}

test('a page that leads back to an application names it, and lets its forms be redirected to the origin of the application only', async () => {
  const { target, policy, toUrl } = await open('/oauth/authorize?client_id=1');
  assert.equal(target?.applicationName, 'Orders');
  assert.match(policy, /form-action 'self' https:\/\/orders\.example\.org;/);
  assert.equal(toUrl('/sign-up'), '/sign-up?return_to=%2Foauth%2Fauthorize%3Fclient_id%3D1');
  for (const path of ['/account', 'https://evil.example/oauth/authorize?', '//evil.example'])
    assert.match((await open(path)).policy, /form-action 'self';/);
});
