/** Messages and credentials for pictures of the console. */
import assert from 'node:assert/strict';
import { DAY, MINUTE } from '../../../src/lib/time.ts';
import { enqueue, startTestDelivery } from '../mail.ts';
import { admin, editor, type TestService } from '../service.ts';
import { rejection, startSmtpServer } from '../smtp-server.ts';
import type { PictureClock } from './picture-data.ts';

const UNKNOWN = 'thandiwe@example.com';
const BUSY = 'oyvind@example.com';

interface PictureMessage {
  readonly kind: 'verify_email' | 'reset_password' | 'password_changed';
  /** Index of the user. */
  readonly to: number;
  readonly minutesAgo: number;
  readonly isSent: boolean;
}

const MESSAGES: readonly PictureMessage[] = [
  { kind: 'verify_email', to: 11, minutesAgo: 58, isSent: true },
  { kind: 'verify_email', to: 10, minutesAgo: 47, isSent: true },
  { kind: 'reset_password', to: 9, minutesAgo: 31, isSent: true },
  { kind: 'password_changed', to: 9, minutesAgo: 29, isSent: true },
  { kind: 'reset_password', to: 2, minutesAgo: 1, isSent: true },
  { kind: 'verify_email', to: 0, minutesAgo: 0, isSent: false },
];

/** Queues messages and sends most of them; one is rejected for good, one for a while, and one waits. */
export async function queueMessages(
  { service, api }: TestService,
  userIds: readonly string[],
  clock: PictureClock,
): Promise<void> {
  const { database } = service;
  const now = clock.now;
  const smtp = await startSmtpServer({
    onRecipient: (address) => {
      if (address === UNKNOWN) return rejection(550, '5.1.1 No such user');
      return address === BUSY ? rejection(450, '4.2.1 The mailbox is busy') : null;
    },
  });
  const { delivery } = startTestDelivery(database, smtp, { clock: () => clock.now });
  for (const { kind, to, minutesAgo, isSent } of MESSAGES) {
    clock.now = now - minutesAgo * MINUTE;
    const userId = userIds[to]!;
    const { email } = (await api.get(`/api/v1/users/${userId}`, admin)).body.data;
    await enqueue(database, { kind, userId, email, now: clock.now });
    if (isSent) await delivery.deliverDue();
  }
  clock.now = now;
  await delivery.close();
  await smtp.close();
}

/** Creates credentials of people and programs. */
export async function createCredentials({ api }: TestService, now: number): Promise<void> {
  const credentials = [
    { name: 'Mira, laptop', scopes: ['admin'] },
    { name: 'Support', scopes: ['users:read', 'users:write', 'tokens:write', 'links:send', 'events:read'] },
    {
      name: 'Backup script',
      scopes: ['users:read', 'events:read'],
      networks: ['203.0.113.0/24'],
      expires_at: new Date(now + 90 * DAY).toISOString(),
    },
  ];
  for (const credential of credentials)
    assert.equal((await api.post('/api/v1/credentials', credential, admin)).status, 201);
}

/** Creates groups with members, one of which an application is limited to. Returns its id. */
export async function createGroups(
  { api }: TestService,
  userIds: readonly string[],
  applicationId: string,
): Promise<string> {
  const create = async (name: string, title: string, add: readonly string[]): Promise<string> => {
    const { id } = (await api.post('/api/v1/groups', { name, title }, admin)).body.data;
    assert.equal((await api.post(`/api/v1/groups/${id}/users/batch`, { add }, admin)).status, 200);
    return id;
  };
  const id = await create('support-team', 'Support team', userIds.slice(0, 6));
  await create('warehouse', 'Warehouse', userIds.slice(4, 45));
  await create('board', 'Board', userIds.slice(11, 14));
  const limited = editor;
  await api.patch(`/api/v1/applications/${applicationId}`, { allowed_groups: [id] }, limited);
  return id;
}

/** Creates applications and identity providers. Returns the id of an application. */
export async function createApplications({ api }: TestService): Promise<string> {
  const create = async (path: string, body: object): Promise<string> => {
    const response = await api.post(path, body, admin);
    assert.equal(response.status, 201, response.text);
    return response.body.data.id;
  };
  const applications = '/api/v1/applications';
  const redirect_uris = ['https://orders.example.com/api/auth/callback/frontdesk'];
  const notes = ['com.example.notes:/callback', 'http://127.0.0.1/callback'];
  await create(applications, { name: 'Field notes', kind: 'public', redirect_uris: notes });
  for (const [name, kind, issuer] of PROVIDERS)
    await create('/api/v1/identity-providers', {
      ...{ name, kind, client_id: 'frontdesk', client_secret: 'a secret of tests' },
      ...(issuer && { issuer }),
    });
  return create(applications, {
    name: 'Orders',
    kind: 'web',
    redirect_uris: [...redirect_uris, 'http://localhost:3000/callback'],
  });
}

const PROVIDERS = [
  ['Google', 'oidc', 'https://accounts.google.com'],
  ['Example University', 'oidc', 'https://login.example.edu'],
  ['GitHub', 'github', null],
] as const;
