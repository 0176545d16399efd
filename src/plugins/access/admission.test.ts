import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type BareServer, startBareServer } from '../../../test/support/bare-server.ts';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import type { UserCaller } from '../../callers/callers.ts';
import { newToken } from '../../lib/secrets/tokens.ts';
import { Problem } from '../../problems/problem.ts';

const token = newToken();
const user: UserCaller = {
  kind: 'user',
  userId: 'u',
  tokenId: 't',
  tokenHash: 'h',
  scopes: [],
  tokenExpiresAt: 0,
  tokenLastUsedAt: null,
  record: {},
};
let state = { isLimited: true, scopes: [] as string[], isOpen: false };

const things = (app: FastifyInstance) => {
  const body = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const config = { access: 'user', scope: 'self:write', isOpenTo: () => state.isOpen } as const;
  app.post('/things', { schema: { body }, config }, async () => ({}));
};

/** Each step repairs one fault of a request with all of them, and names the code of the next one. */
const steps: [repair: Partial<typeof state>, fields: string[], code: string][] = [
  [{}, [], 'rate_limited_anon'],
  [{ isLimited: false }, [], 'cross_site_request'],
  [{}, ['Sec-Fetch-Site: same-site'], 'unauthorized'],
  [{}, [`Authorization: Bearer ${token}`], 'insufficient_scope'],
  [{ scopes: ['self:write'] }, [], 'forbidden'],
  [{ isOpen: true }, [], 'not_acceptable'],
  [{}, ['Accept: application/json'], 'unsupported_media_type'],
  [{}, ['Content-Type: application/json'], 'invalid_payload'],
];

describe('admission of requests', () => {
  let server: BareServer;
  before(async () => {
    const limiter = {
      beforeAuthentication: () => {
        if (state.isLimited) throw new Problem('rate_limited_anon');
        return undefined;
      },
      afterAuthentication: () => undefined,
      credentialRejected: async () => {},
      countNetwork: async () => {},
    };
    const findToken = async () => ({ ...user, scopes: state.scopes });
    server = await startBareServer({ limiter, findToken }, things);
  });
  after(() => server.app.close());

  test('admission checks limits, site, credential, scope, access, media types and body in this order', async () => {
    const fields = ['Accept: text/html', 'Content-Type: text/plain', 'Sec-Fetch-Site: cross-site'];
    for (const [repair, repaired, code] of steps) {
      state = { ...state, ...repair };
      for (const field of repaired) {
        const name = field.slice(0, field.indexOf(':') + 1);
        const at = fields.findIndex((present) => present.startsWith(name));
        fields.splice(at, at < 0 ? 0 : 1, field);
      }
      const { text } = await sendRawOnce(server.url, rawRequest('POST', '/things', fields, '{'));
      assert.equal(JSON.parse(text).code, code);
    }
    const valid = rawRequest('POST', '/things', fields, '{"name":"Ada"}');
    assert.equal((await sendRawOnce(server.url, valid)).status, 200);
  });
});
