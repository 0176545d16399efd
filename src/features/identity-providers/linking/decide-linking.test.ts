import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { decideLinking, type LinkingDecision, type LinkingFacts } from './decide-linking.ts';

const guide = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');

const NONE: LinkingFacts = {
  linkedTo: null,
  linkingUser: null,
  hasEmail: true,
  isEmailVerified: false,
  isCodeConfirmed: false,
  account: null,
};

type Account = NonNullable<LinkingFacts['account']>;
const account = (state: Account['state'], isEmailVerified = false, hasRole = false) => ({
  state,
  isEmailVerified,
  hasRole,
});

/** By local account: decisions if the provider has verified the email, if not, and after a code. */
const TABLE: readonly (readonly [
  row: string,
  account: LinkingFacts['account'],
  decisions: readonly [verified: LinkingDecision, silent: LinkingDecision, confirmed: LinkingDecision],
])[] = [
  ['no account', null, ['create', 'confirm_email', 'create']],
  ['an unclaimed account', account('unclaimed'), ['claim', 'mail_claim', 'claim']],
  [
    'an active account whose address was never verified',
    account('active'),
    ['ask_owner', 'confirm_email', 'ask_owner'],
  ],
  [
    'an active account whose address is verified',
    account('active', true),
    ['prove_account', 'confirm_email', 'link'],
  ],
  [
    'an unclaimed account with a role',
    account('unclaimed', false, true),
    ['mail_claim', 'mail_claim', 'claim'],
  ],
  [
    'an active account with a role whose address was never verified',
    account('active', false, true),
    ['confirm_email', 'confirm_email', 'claim'],
  ],
  [
    'an active account with a role whose address is verified',
    account('active', true, true),
    ['confirm_email', 'confirm_email', 'link'],
  ],
  ['a disabled account', account('disabled'), ['refuse_disabled', 'refuse_disabled', 'refuse_disabled']],
  [
    'a disabled account with a verified address',
    account('disabled', true),
    ['refuse_disabled', 'refuse_disabled', 'refuse_disabled'],
  ],
];

describe('the table of linking', () => {
  for (const [row, account, [verified, silent, confirmed]] of TABLE) {
    const facts = { ...NONE, account };
    test(`${row} and an email that the provider has verified: ${verified}`, () =>
      assert.equal(decideLinking({ ...facts, isEmailVerified: true }), verified));
    test(`${row} and an email that the provider has not verified: ${silent}`, () =>
      assert.equal(decideLinking(facts), silent));
    for (const isEmailVerified of [true, false])
      test(`${row} and a confirmed code (verified: ${isEmailVerified}): ${confirmed}`, () =>
        assert.equal(decideLinking({ ...facts, isCodeConfirmed: true, isEmailVerified }), confirmed));
    test(`${row} and an identity that is linked already: sign_in`, () => {
      for (const isEmailVerified of [true, false])
        assert.equal(decideLinking({ ...facts, linkedTo: 'ada', isEmailVerified }), 'sign_in');
    });
    test(`${row} and a person who is signed in and links an identity: its email does not count`, () => {
      const linking = { ...facts, linkingUser: 'ada' };
      assert.equal(decideLinking(linking), 'link');
      assert.equal(decideLinking({ ...linking, linkedTo: 'ada' }), 'sign_in');
      assert.equal(decideLinking({ ...linking, linkedTo: 'eve' }), 'refuse_linked_to_other');
    });
  }

  test('an identity without an email is refused unless it is linked', () => {
    assert.equal(decideLinking({ ...NONE, hasEmail: false }), 'refuse_without_email');
    assert.equal(decideLinking({ ...NONE, hasEmail: false, linkedTo: 'ada' }), 'sign_in');
    assert.equal(decideLinking({ ...NONE, hasEmail: false, linkingUser: 'ada' }), 'link');
  });

  test('docs/security.md has the table', () => {
    for (const row of [
      'none',
      'unclaimed',
      'active, address never verified',
      'active, address verified',
      'disabled',
    ])
      assert.match(guide, new RegExp(`^\\| ${row} \\|`, 'm'));
  });
});
