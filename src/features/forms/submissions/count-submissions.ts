/** Counts the anonymous submissions of each network to each form, on all nodes together. */
import { getNetworks } from '../../../lib/network.ts';
import type { Quota } from '../../../rate-limits/gcra.ts';
import type { LimitStores } from '../../../rate-limits/limit-stores.ts';

const QUOTA: Quota = { name: 'submission-held', limit: 10, windowSeconds: 60 };

/** Returns the function that counts a submission, and returns whether it is more than ten in a minute. */
export function createSubmissionCounter({ shared }: Pick<LimitStores, 'shared'>) {
  return async (formId: string, clientIp: string): Promise<boolean> => {
    const client = getNetworks(clientIp).map((network) => `${formId} ${network}`);
    return !(await shared.take(client, QUOTA)).allowed;
  };
}
