/** A token that was revoked on one node, in any way, is rejected at once on every node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestLink } from '../../../../test/support/processes/recovery.ts';
import { describeOnPostgres } from '../../../../test/support/runner/engines.ts';
import { editor, useNodes } from '../../../../test/support/service.ts';
import { insertTestToken, register } from '../../../../test/support/users.ts';

const PASSWORD = 'paper lantern under the bridge';

interface Session {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The token that is to be revoked. */
  readonly token: string;
  readonly tokenId: string;
  /** Another token of the user. */
  readonly other: string;
}

describeOnPostgres('a token that is revoked', () => {
  const nodes = useNodes();
  const [service] = nodes;
  const asAdmin = editor;
  const asOther = ({ other: token }: Session) => ({ token });

  const ways: Readonly<Record<string, (session: Session) => Promise<{ readonly status: number }>>> = {
    'by a logout': ({ token }) => service.api.post('/api/logout', undefined, { token }),
    'by a logout of all sessions': (each) => service.api.post('/api/logout', { scope: 'all' }, asOther(each)),
    'by a logout of all other sessions': (each) =>
      service.api.post('/api/logout', { scope: 'others' }, asOther(each)),
    'by its id': (each) => service.api.delete(`/api/v1/tokens/${each.tokenId}`, asOther(each)),
    'with all other tokens': (each) => service.api.delete('/api/v1/tokens?except=current', asOther(each)),
    'by its rotation': ({ token, tokenId }) =>
      service.api.post(`/api/v1/tokens/${tokenId}/rotate`, undefined, { token }),
    'by a new password': (each) =>
      service.api.put(
        '/api/v1/me/password',
        { current_password: each.password, password: PASSWORD },
        asOther(each),
      ),
    'by a password reset': async (each) => {
      const link = await createTestLink(service, 'reset_password', { user: each });
      return service.api.post(`/api/v1/password-resets/${link}`, { password: PASSWORD });
    },
    'by disabling its user': ({ id }) =>
      service.api.patch(`/api/v1/users/${id}`, { state: 'disabled' }, asAdmin),
    'by an administrator': ({ id }) => service.api.delete(`/api/v1/users/${id}/tokens`, asAdmin),
    'by deleting its user': ({ id }) => service.api.delete(`/api/v1/users/${id}`, asAdmin),
    'by the login that would be the 51st session': async (each) => {
      for (let count = 2; count < 50; count++) await insertTestToken(service.database, each.id);
      return service.api.post('/api/login', { email: each.email, password: each.password });
    },
  };

  for (const [way, revoke] of Object.entries(ways)) {
    test(`a token that is revoked ${way} is rejected with 401 on every node at once`, async () => {
      const user = await register(service);
      const [{ id: tokenId }] = (await service.api.get('/api/v1/tokens', user)).body.data;
      const scopes = 'self:read self:write tokens:manage';
      const { token: other } = await insertTestToken(service.database, user.id, { scopes });
      for (const { api } of nodes) assert.equal((await api.get('/api/v1/me', user)).status, 200);
      const { status } = await revoke({ ...user, tokenId, other });
      assert.ok([200, 201, 204].includes(status), `${status}`);
      for (const { api } of nodes.toReversed()) assert.equal((await api.get('/api/v1/me', user)).status, 401);
    });
  }
});
