/** Applications that are limited to groups, and the claims about groups. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  readQuery,
  signIn,
  type TestApplication,
} from '../../../test/support/applications.ts';
import { beginDevice, createSignedInBrowser, pollDevice } from '../../../test/support/devices.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { editor, startService, type TestService, useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { deleteNextMembers } from '../groups/change-group.ts';
import { groupStore } from '../groups/queries.ts';

const SCOPE = 'openid groups self:read';
const STORED = sql<{ hash: string }>(
  'select hash from tokens where user_id = $1 and application_id is not null',
);
const MEMBERS = sql<{ user_id: string }>('select user_id from group_members where group_id = $1');

describeOnEachEngine('applications that are limited to groups', (engine) => {
  const environment = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOCUMENTS: 'off' };
  const service = useService(engine, { environment });
  let other: TestService;
  before(async () => {
    other = await startService(engine, { environment, testDatabase: service.testDatabase });
  });
  after(() => other.stop());

  let groups = 0;
  async function createGroup(): Promise<{ id: string; name: string }> {
    const body = { name: `team-${++groups}`, title: 'Team' };
    return (await service.api.post('/api/v1/groups', body, editor)).body.data;
  }
  const toPath = (groupId: string, userId: string) => `/api/v1/groups/${groupId}/users/${userId}`;
  const add = (groupId: string, userId: string) =>
    service.api.put(toPath(groupId, userId), undefined, editor);
  const remove = (groupId: string, userId: string) => service.api.delete(toPath(groupId, userId), editor);
  const limit = (application: TestApplication, allowed_groups: readonly string[] | null) =>
    service.api.patch(`/api/v1/applications/${application.id}`, { allowed_groups }, editor);
  const request = (application: TestApplication, headers: Record<string, string>, changes = {}) =>
    authorize(service, authorization(application, { scope: SCOPE, ...changes }), headers);

  type Person = Awaited<ReturnType<typeof signIn>>;
  async function getToken(application: TestApplication, { headers }: Person): Promise<string> {
    const { result } = await request(application, headers);
    const { status, body } = await exchange(service, application, { code: result.code });
    assert.equal(status, 200, JSON.stringify(body));
    return body.access_token;
  }

  /** A person in a group, with a token of an application that is limited to it. */
  async function signInAsMember() {
    const [group, person] = [await createGroup(), await signIn(service)];
    await add(group.id, person.user.id);
    const application = await createApplication(service, {
      scopes: ['self:read'],
      allowed_groups: [group.id],
    });
    const token = await getToken(application, person);
    return { group, person, application, token };
  }
  type Member = Awaited<ReturnType<typeof signInAsMember>>;

  /** Returns what each node says of a token: as its bearer, and when it is verified. */
  async function readStates(token: string): Promise<boolean[]> {
    const states: boolean[] = [];
    for (const { api } of [service, other]) {
      states.push((await api.get('/api/v1/me', { token })).status === 200);
      states.push((await api.post('/api/v1/tokens/verify', { token }, editor)).body.active);
      states.push((await api.get('/oauth/userinfo', { token })).status === 200);
    }
    return states;
  }
  const ENDED = Array.from({ length: 6 }, () => false);
  const VALID = Array.from({ length: 6 }, () => true);

  /** What ends the token of a member, and what would let the person in again. */
  const ENDS: Readonly<
    Record<
      string,
      { end: (member: Member) => Promise<unknown>; restore?: (member: Member) => Promise<unknown> }
    >
  > = {
    'the person leaves the group': {
      end: ({ group, person }) => remove(group.id, person.user.id),
      restore: ({ group, person }) => add(group.id, person.user.id),
    },
    'a batch removes the person from the group': {
      end: ({ group, person }) =>
        service.api.post(`/api/v1/groups/${group.id}/users/batch`, { remove: [person.user.id] }, editor),
      restore: ({ group, person }) => add(group.id, person.user.id),
    },
    'the application is limited to another group': {
      end: async ({ application }) => limit(application, [(await createGroup()).id]),
      restore: ({ application }) => limit(application, null),
    },
    'the application is limited to no group': {
      end: ({ application }) => limit(application, []),
      restore: ({ application, group }) => limit(application, [group.id]),
    },
    'the group is deleted': {
      end: ({ group }) => service.api.delete(`/api/v1/groups/${group.id}`, editor),
      restore: ({ application }) => limit(application, null),
    },
  };
  for (const [cause, { end, restore }] of Object.entries(ENDS))
    test(`the token of an application ends at once on every node, for good, when ${cause}`, async () => {
      const member = await signInAsMember();
      assert.deepEqual(await readStates(member.token), VALID);
      await end(member);
      assert.deepEqual(await readStates(member.token), ENDED);
      assert.deepEqual(await service.database.all(STORED, member.person.user.id), []);
      await restore!(member);
      assert.deepEqual(await readStates(member.token), ENDED);
      assert.deepEqual(await readStates(await getToken(member.application, member.person)), VALID);
    });

  test('the token of an application stays while another allowed group has the person', async () => {
    const { group, person, application, token } = await signInAsMember();
    const second = await createGroup();
    assert.equal((await limit(application, [group.id, second.id])).status, 200);
    await add(second.id, person.user.id);
    await remove(group.id, person.user.id);
    await service.api.delete(`/api/v1/groups/${group.id}`, editor);
    assert.deepEqual(await readStates(token), VALID);
    const { body } = await service.api.get(`/api/v1/applications/${application.id}`, editor);
    assert.deepEqual(body.data.allowed_groups, [group.id, second.id].sort());
    assert.equal((await limit(application, body.data.allowed_groups)).status, 200, 'with a deleted group');
  });

  test('the token of an application that is for everybody does not depend on groups', async () => {
    const { group, person } = await signInAsMember();
    const token = await getToken(await createApplication(service, { scopes: ['self:read'] }), person);
    await remove(group.id, person.user.id);
    assert.deepEqual(await readStates(token), VALID);
  });

  test('a deleted group lets nobody in before its members are deleted, which the housekeeping completes', async () => {
    const { group, application, person, token } = await signInAsMember();
    const { database } = service;
    await database.transaction((tx) => groupStore.delete(tx, group.id));
    assert.deepEqual(await readStates(token), ENDED);
    assert.equal((await request(application, person.headers)).status, 403);
    assert.equal((await database.all(MEMBERS, group.id)).length, 1);
    while ((await database.transaction((tx) => deleteNextMembers(tx, 0, 2))) === 2);
    assert.deepEqual(await database.all(MEMBERS, group.id), []);
    assert.deepEqual(await database.all(STORED, person.user.id), []);
  });

  test('a code is not exchanged after its person has left the group', async () => {
    const { group, person, application } = await signInAsMember();
    const { code } = (await request(application, person.headers)).result;
    await remove(group.id, person.user.id);
    const { status, body } = await exchange(service, application, { code });
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    assert.deepEqual(await service.database.all(STORED, person.user.id), []);
  });

  test('a person in no allowed group gets a page that says so, and leads back with access_denied', async () => {
    const { application } = await signInAsMember();
    const { headers } = await signIn(service);
    const { status, text, location } = await request(application, headers);
    assert.deepEqual([status, location], [403, null]);
    assert.match(text, /You may not use Application \d+/);
    const [, href] = /href="(https:\/\/app\.example\.com[^"]+)"/.exec(text)!;
    const { error, state, iss, code } = readQuery(href!.replaceAll('&amp;', '&'));
    assert.deepEqual([error, state, code], ['access_denied', 'the state', undefined]);
    assert.equal(iss, service.api.url);
    assert.match(text, /href="\/sign-in\?return_to=/);
    await numberAllEvents(service.database);
    const path = `/api/v1/events?subject=application:${application.id}&type=application.rejected`;
    const [event] = (await service.api.get(path, editor)).body.data;
    assert.equal(event.reason, 'access_denied');
  });

  test('with prompt=none, the application of a person in no allowed group gets access_denied', async () => {
    const { application } = await signInAsMember();
    const { headers } = await signIn(service);
    const { status, result } = await request(application, headers, { prompt: 'none' });
    assert.deepEqual([status, result.error, result.code], [303, 'access_denied', undefined]);
  });

  test('a device whose person has left the allowed groups gets access_denied, with this reason', async () => {
    const { group, person, application } = await signInAsMember();
    await service.api.patch(`/api/v1/applications/${application.id}`, { device: true }, editor);
    const { user_code, device_code } = await beginDevice(service, application);
    await createSignedInBrowser(service, person).submit('/device/allow', { user_code });
    await remove(group.id, person.user.id);
    const { body } = await pollDevice(service, application, device_code);
    assert.deepEqual(body, {
      error: 'access_denied',
      error_description: 'The person may not use the application',
    });
  });

  test('an application is limited to groups that exist only', async () => {
    for (const id of [newId(), 'unknown', '%']) {
      const { application } = await signInAsMember();
      const { status, body } = await limit(application, [id]);
      assert.deepEqual([status, Object.keys(body.errors)], [400, ['allowed_groups']]);
    }
  });

  test('the claim groups has the names of the groups of the person, sorted, in ID token and userinfo', async () => {
    const application = await createApplication(service);
    const all = await Promise.all(Array.from({ length: 5 }, createGroup));
    const person = await signIn(service);
    const readClaims = async (scope: string) => {
      const { result } = await request(application, person.headers, { scope });
      const { body } = await exchange(service, application, { code: result.code });
      const idToken = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString());
      const { body: userinfo } = await service.api.get('/oauth/userinfo', { token: body.access_token });
      return [idToken.groups, userinfo.groups];
    };
    await fc.assert(
      fc.asyncProperty(fc.subarray(all), async (members) => {
        for (const { id } of all) {
          const isMember = members.some((each) => each.id === id);
          assert.equal((await (isMember ? add : remove)(id, person.user.id)).status, 204);
        }
        const names = members.map(({ name }) => name).sort();
        assert.deepEqual(await readClaims('openid groups'), [names, names]);
      }),
      { numRuns: 8, seed: 43 },
    );
    assert.deepEqual(await readClaims('openid email'), [undefined, undefined]);
  });
});
