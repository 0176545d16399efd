import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';
import { LIMIT_NAMES } from '../rate-limits/limits.ts';

describe('RATE_LIMIT_ settings', () => {
  test('rejects the name of a limit that does not exist and lists those that do', () => {
    for (const name of ['RATE_LIMIT_LOGINFAIL', 'RATE_LIMIT_LOGIN-FAIL', 'RATE_LIMIT_login', 'RATE_LIMIT_']) {
      const known = assertRejected(name, '5/60').match(/(?<= )RATE_LIMIT_[A-Z_]+/g);
      assert.equal(known?.length, LIMIT_NAMES.length);
      for (const limit of known) assert.doesNotThrow(() => readConfig({ [limit]: '5/60' }));
    }
  });

  test('ignores an unknown name with an empty value', () => {
    assert.deepEqual(readConfig({ RATE_LIMIT_LOGINFAIL: ' ' }), readConfig({}));
  });
});
