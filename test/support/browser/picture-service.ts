/** A service for pictures of its pages: invented users of the last 60 days, at an invented time. */
import { recordActiveUsers } from '../../../src/features/activity/active-users/active-users.ts';
import { recomputeStatistics } from '../../../src/features/activity/dashboard/recompute-statistics.ts';
import { normalizeEmail } from '../../../src/lib/text/normalize.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time.ts';
import { admin, startService, type TestService } from '../service.ts';
import { insertTestToken, insertTestUser } from '../users.ts';
import { causeEvents, createDeliveries, type PictureClock } from './picture-data.ts';
import { createForms, type PictureForms } from './picture-forms.ts';
import { createApplications, createCredentials, createGroups, queueMessages } from './picture-records.ts';

export const NOW = Date.parse('2026-11-20T14:25:00Z');
/** Names of several scripts, each with the first part of the email. */
const NAMES = [
  ['Ada Lovelace', 'ada.lovelace'],
  ['Zeynep Yıldız', 'zeynep'],
  ['Øyvind Sæther', 'oyvind'],
  ['Ελένη Παπαδοπούλου', 'eleni'],
  ['ليلى حدّاد', 'layla'],
  ['Amélie Miller-Großmann', 'amelie'],
  ['Богдан Іваненко', 'bogdan'],
  ['Nguyễn Thị Minh Khai', 'minhkhai'],
  ['נועה לוי', 'noa.levi'],
  ['Þórdís Jónsdóttir', 'thordis'],
  ['Grace Hopper', 'grace.hopper'],
  ['Thandiwe Mokoena', 'thandiwe'],
] as const;

export interface PictureService {
  readonly service: TestService;
  readonly webhookId: string;
  readonly applicationId: string;
  readonly groupId: string;
  /** The latest first. */
  readonly userIds: readonly string[];
  readonly forms: PictureForms;
}

/** Starts the service, which the caller stops. Its clock stands still afterwards. */
export async function startPictureService(): Promise<PictureService> {
  const clock = { now: NOW };
  const environment = { TRUST_PROXY: '127.0.0.1' };
  const service = await startService('sqlite', { clock: () => clock.now, environment });
  const forms = await createForms(service, clock);
  const userIds = await fill(service, clock);
  await queueMessages(service, userIds, clock);
  await createCredentials(service, NOW);
  const applicationId = await createApplications(service);
  const groupId = await createGroups(service, userIds, applicationId);
  const webhookId = await createDeliveries(service, NOW);
  return { service, webhookId, applicationId, groupId, userIds, forms };
}

/** More users on later days. */
function toCreatedAt(index: number): number {
  return NOW - Math.floor(60 * DAY * (index / 240) ** 1.6) - ((index * 37) % 600) * MINUTE;
}

/** Creates users of the last 60 days with activity, tokens and events. Returns the ids of the latest ones. */
async function fill(service: TestService, clock: PictureClock): Promise<string[]> {
  const { api } = service;
  const { database } = service;
  const created: string[] = [];
  // The oldest first, because the list has the order of creation.
  for (let index = 239; index >= 0; index--) {
    const createdAt = toCreatedAt(index);
    const [name, local] = NAMES[index % 12]!;
    const email = `${local}${index < 12 ? '' : index}@example.com`;
    const state = index % 29 === 5 ? 'disabled' : 'active';
    const level = index % 7 === 0 ? 'gold' : null;
    const user = { name, email, emailKey: normalizeEmail(email), createdAt, state, level } as const;
    created.unshift((await insertTestUser(database, user)).id);
  }
  await database.transaction(async (tx) => {
    for (let day = 0; day < 60; day++) {
      const share = [0, 6].includes(new Date(NOW - day * DAY).getUTCDay()) ? 16 : 34 - (day % 5);
      const active = created.filter(
        (_, index) => toCreatedAt(index) <= NOW - day * DAY && (index * 31 + day * 17) % 100 < share,
      );
      await recordActiveUsers(tx, NOW - day * DAY - 3 * HOUR, active);
    }
  });
  for (const id of created.slice(0, 90))
    await insertTestToken(database, id, { createdAt: NOW - 10 * DAY, expiresAt: NOW + 20 * DAY + HOUR });
  await causeEvents(service, created.slice(6, 10), clock);
  await recomputeStatistics(database, () => NOW);
  for (const id of created.slice(1, 5)) await api.delete(`/api/v1/users/${id}/tokens`, admin);
  return created;
}
