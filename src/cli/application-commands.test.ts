import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { run } from '../../test/support/processes/commands.ts';
import { ADMIN_TOKEN, toEnvironment, useService } from '../../test/support/service.ts';

const PATH = '/api/v1/applications';
const URI = 'https://wiki.example.com/callback';

// The commands know the service only by HTTP: its engine makes no difference.
describe('cli applications', () => {
  const service = useService('sqlite');
  const call = (...args: readonly string[]) => {
    const { port } = new URL(service.service.url);
    return run(['applications', ...args], toEnvironment(service.testDatabase, { PORT: port }));
  };
  const callJson = async (...args: readonly string[]) => {
    const { code, stdout, lines } = await call(...args, '--json');
    assert.equal(code, 0, lines.join('\n'));
    return JSON.parse(stdout).data;
  };
  const list = async () => (await service.api.get(PATH, { token: ADMIN_TOKEN })).body.data;

  test('cli applications creates an application with several redirect URIs and prints its secret, and lists it without', async () => {
    const { stdout } = await call('create', 'Wiki', '--redirect-uri', URI, 'http://localhost:3000/callback');
    const [{ id, kind, redirect_uris }] = await list();
    assert.deepEqual([kind, redirect_uris], ['web', [URI, 'http://localhost:3000/callback']]);
    assert.match(stdout, new RegExp(`^id +${id}$`, 'm'));
    const secret = /^client_secret +(\S+)$/m.exec(stdout)![1]!;
    const listed = (await call('list')).stdout;
    assert.match(listed, /Wiki/);
    assert.ok(!listed.includes(secret));
  });

  test('cli applications creates a public application without a secret', async () => {
    const args = ['Notes', '--kind', 'public', '--redirect-uri', 'com.example.notes:/callback'];
    assert.equal((await callJson('create', ...args)).client_secret, null);
  });

  test('cli applications rotates the secret with an overlap, and deletes the application', async () => {
    const { id, client_secret } = await callJson('create', 'Shop', '--redirect-uri', URI);
    const rotated = await callJson('rotate-secret', id, '--overlap', '0');
    assert.notEqual(rotated.client_secret, client_secret);
    assert.equal(rotated.previous_until, null);
    assert.notEqual((await callJson('rotate-secret', id)).previous_until, null);
    assert.match((await call('delete', id)).stdout, /Done/);
    assert.ok((await list()).every((each: { readonly id: string }) => each.id !== id));
  });

  test('cli applications fails with the reason of the service for a URI that an application cannot have', async () => {
    const { code, stdout, lines } = await call('create', 'Bad', '--redirect-uri', 'http://example.com/');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(lines.join('\n'), /redirect_uris field must contain https URIs.*\(400 validation_failed\)/);
  });
});
