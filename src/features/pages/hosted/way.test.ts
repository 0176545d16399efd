import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readReturnTo } from './way.ts';

describe('the page to which a sign-in leads', () => {
  for (const path of [
    '/oauth/authorize?client_id=a&state=%2F',
    '/account',
    '/account?tab=x',
    '/account/devices',
    '/console',
    '/console/users/1?tab=x',
    '/sign-in/link',
  ])
    test(`a sign-in leads to ${path}`, () => assert.equal(readReturnTo({ return_to: path }), path));

  for (const path of [
    undefined,
    '',
    'account',
    '//evil.example/account',
    '/\\evil.example/account',
    '/\t/evil.example/account',
    'https://evil.example/account',
    'javascript:alert(1)//account',
    '/accounts',
    '/consoles',
    '/api/v1/users',
    '/oauth/authorize',
    '/oauth/end-session?x',
    '/account/../docs/',
    '/sign-in/%2e%2e/docs/',
    '/sign-in',
    '//[',
  ])
    test(`a sign-in does not lead to ${JSON.stringify(path)}`, () =>
      assert.equal(readReturnTo(path === undefined ? {} : { return_to: path }), null));
});
