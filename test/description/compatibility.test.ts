/** Holds openapi.json to the last release: no client that the released description allows may break. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { breakingChanges } from '../support/description/breaking-changes.ts';
import { description } from '../support/description/description.ts';

/** The description of the last release. Replaced with the next release, never changed. */
const released = JSON.parse(readFileSync(new URL('../../openapi.released.json', import.meta.url), 'utf8'));

/**
 * Rules that the released service enforced and its description did not state. The comparison sees descriptions only,
 * and would take a rule that is merely written down for a new one. test/description/description-inputs.test.ts shows for each of
 * them that the service rejects what it excludes. The list ends with the next release.
 */
const STATED_SINCE_RELEASE: Readonly<Record<string, string>> = {
  'POST /api/register, header parameter Idempotency-Key: pattern': 'the grammar of a key',
  'POST /api/v1/users, header parameter Idempotency-Key: pattern': 'the grammar of a key',
  'POST /api/register, body.name: pattern': 'a blank name counts as missing; U+0000 cannot be stored',
  'POST /api/register, body.password: pattern': 'a blank password counts as missing',
  'POST /api/login, body.email: pattern': 'a blank email counts as missing; U+0000 cannot be stored',
  'POST /api/login, body.password: pattern': 'a blank password counts as missing',
  'GET /api/v1/users, query parameter cursor: minLength': 'no page has an empty cursor',
  'GET /api/v1/users, query parameter email: pattern': 'U+0000 cannot be stored',
  'POST /api/v1/users, body.name: pattern': 'U+0000 cannot be stored',
  'POST /api/v1/users, body.level: pattern': 'U+0000 cannot be stored',
  'PATCH /api/v1/users/{id}, body.name: pattern': 'a name cannot be made blank; U+0000 cannot be stored',
  'PATCH /api/v1/users/{id}, body.level: pattern': 'U+0000 cannot be stored',
  'PATCH /api/v1/users/{id}, body.version: minimum': 'an integer beyond 2^53 is not exact in JSON',
  'PATCH /api/v1/users/{id}, body.version: maximum': 'an integer beyond 2^53 is not exact in JSON',
};

/**
 * Rules that are new on purpose: the requests that they reject were mistakes, to which the released service gave a
 * wrong success. The list ends with the next release.
 */
const REJECTED_SINCE_RELEASE: Readonly<Record<string, string>> = {
  'PATCH /api/v1/users/{id}, body: unknown members are rejected now':
    'a change of the password got 200 and changed nothing',
  'POST /api/v1/users, body.password: pattern none became \\S':
    'a blank password of the administrator got 201 and made an account without one',
};

test('CHANGELOG.md has an entry for the version of package.json, or one for unreleased changes', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.match(
    changelog,
    new RegExp(`^## (?:${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d|Unreleased)$`, 'm'),
  );
});

describe('openapi.json', () => {
  const changes = breakingChanges(released, description);
  const isStated = (change: string) => (place: string) => change.startsWith(`${place} none became `);

  test('openapi.json has no breaking change since the last release', () => {
    assert.notEqual(Object.keys(released.paths).length, 0);
    const places = Object.keys(STATED_SINCE_RELEASE);
    assert.deepEqual(
      changes.filter(
        (change) => !places.some(isStated(change)) && !Object.hasOwn(REJECTED_SINCE_RELEASE, change),
      ),
      [],
    );
  });

  for (const [place, reason] of Object.entries(STATED_SINCE_RELEASE)) {
    test(`openapi.json states since the last release: ${place} (${reason})`, () => {
      assert.equal(changes.filter((change) => isStated(change)(place)).length, 1);
    });
  }

  for (const [change, reason] of Object.entries(REJECTED_SINCE_RELEASE)) {
    test(`openapi.json rejects since the last release: ${change} (${reason})`, () => {
      assert.equal(changes.filter((each) => each === change).length, 1);
    });
  }
});
