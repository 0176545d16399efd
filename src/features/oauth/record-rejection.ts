/** Records authorization requests that were rejected: most clients do not show why. */
import type { DatabaseDeps, Reader } from '../../database/database.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import { lockApplications } from '../applications/queries.ts';
import { formatApplicationSubject } from '../applications/rules.ts';
import { findLatestEvent } from '../events/queries.ts';
import { recordEvent } from '../events/record-event.ts';

const TYPE = 'application.rejected';

/** Records one event per minute and application, so that a flood of requests costs reads only. */
export async function recordRejection(
  { database, clock }: DatabaseDeps,
  applicationId: string,
  /** `redirect_uri`: null if it is not registered, because others choose it. */
  rejection: {
    readonly error: string;
    readonly error_description: string;
    readonly redirect_uri: string | null;
  },
): Promise<void> {
  const subject = formatApplicationSubject(applicationId);
  const now = clock();
  const isRecent = async (reader: Reader) => {
    const latest = await findLatestEvent(reader, subject, TYPE);
    return latest !== undefined && latest.created_at > now - MINUTE;
  };
  if (await isRecent(database)) return;
  const { error, error_description: description, redirect_uri } = rejection;
  await database.transaction(async (tx) => {
    await lockApplications(tx);
    if (await isRecent(tx)) return;
    const event = {
      type: TYPE,
      subject,
      actor: 'anonymous',
      outcome: 'failure',
      namesClient: false,
    } as const;
    await recordEvent(tx, { ...event, reason: error, details: { error, description, redirect_uri }, now });
  });
}
