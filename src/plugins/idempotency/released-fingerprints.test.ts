import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { fingerprint } from '../../idempotency/stored-response.ts';

const SECRET = new Uint8Array(32).fill(1);
const REQUEST = { route: 'POST /api/register', params: {}, body: {} };
const createFingerprint = (body: unknown) => fingerprint(SECRET, { ...REQUEST, body });

/** The serialisation of release 0.1.0, on which the fingerprints in databases depend. */
function releasedCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(releasedCanonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${releasedCanonical(member)}`);
  return `{${entries.join(',')}}`;
}

function releasedFingerprint(params: unknown, body: unknown): string {
  const text = `${REQUEST.route}\n${releasedCanonical(params)}\n${releasedCanonical(body)}`;
  return createHmac('sha256', SECRET).update(text).digest('base64url');
}

describe('fingerprints that release 0.1.0 stored', () => {
  const name = fc.oneof(
    anyText(),
    fc.nat().map(String),
    fc.constantFrom('', 'constructor', 'toString', '\ud800', '\uffff', '\u{1f511}', '10', '9', '-1', '1.5'),
  );
  const scalar = fc.oneof(
    anyText(),
    fc.double().map((number) => (Number.isNaN(number) ? 0 : number)),
    fc.constantFrom(
      0,
      -0,
      1e21,
      5e-324,
      Infinity,
      -Infinity,
      true,
      false,
      null,
      '\ud800',
      '\u2028',
      '\u0000',
    ),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      scalar,
      fc.array(tie('tree')),
      fc.dictionary(name, tie('tree'), { noNullPrototype: true }),
    ),
  }));

  test('stored fingerprints are the same for every body and all parameters', () => {
    fc.assert(
      fc.property(tree, fc.dictionary(name, fc.string()), (body, params) => {
        assert.equal(fingerprint(SECRET, { ...REQUEST, params, body }), releasedFingerprint(params, body));
      }),
      { numRuns: 300 },
    );
  });

  test('stored fingerprints include that of a registration, byte by byte', () => {
    const body = { password: 'correct horse', name: 'Ada', email: 'ada@example.com', level: [1.5, null] };
    assert.equal(createFingerprint(body), 'aaM1WBfodzrZbw9tf7BRwsD-mEugMkx_nsn19i8z6X8');
  });
});
