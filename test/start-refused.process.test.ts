import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { useTestDatabase } from './support/database.ts';
import { toEnvironment } from './support/environment.ts';
import { runToEnd } from './support/processes/process.ts';

// src/startup/start-failure.test.ts has the other reasons.
describe('a failed start exits with 1 and one line', () => {
  const testDatabase = useTestDatabase('sqlite');

  async function getStartFailure(environment: Record<string, string>): Promise<string> {
    const { code, lines } = await runToEnd(['src/main.ts'], toEnvironment(testDatabase, environment));
    assert.equal(code, 1, lines.join('\n'));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0]!, /^Frontdesk cannot start: ./);
    return lines[0]!;
  }

  test('a failed start names a mistyped setting of the environment, and any unknown name in .env', async () => {
    const typo = await getStartFailure({ REGISTRATON: 'closed' });
    assert.match(typo, /: REGISTRATON is not the name of a setting: did you mean REGISTRATION\?$/);
    writeFileSync(join(testDatabase.directory, '.env'), 'COLOUR=red\n');
    const unknown = await getStartFailure({ PWD: testDatabase.directory });
    assert.match(unknown, /: COLOUR is not the name of a setting: remove it \(in \/.*\/\.env\)$/);
  });

  test('a failed start has only one line although the PostgreSQL driver warns about the sslmode', async () => {
    const line = await getStartFailure({ DATABASE_URL: 'postgres://127.0.0.1:1/frontdesk?sslmode=prefer' });
    assert.match(line, /127\.0\.0\.1:1 \(DATABASE_URL\)$/);
  });
});
