/** Records that tokens and credentials are used, after the responses to their requests. */
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import type { AdminCredential } from '../../callers/callers.ts';
import { toStoredAddress } from '../../lib/network.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import type { ActivityRecorder } from './recorder.ts';

interface TokenUseOptions {
  readonly activity: ActivityRecorder;
  readonly logger: Logger;
  /** They say how precisely the network of the last use is kept. */
  readonly settings: CurrentSettingsSource;
}

export const tokenUse = fp<TokenUseOptions>(async (app, { activity, logger, settings }) => {
  app.addHook('onResponse', ({ caller, id, clientIp, forwarder }, reply, done) => {
    done();
    try {
      // Also if the request of the client failed.
      if (forwarder !== null) recordCredentialUse(activity, forwarder);
      if (caller.kind === 'anonymous' || reply.statusCode >= 400) return;
      if (caller.kind === 'user') {
        const { tokenHash, userId, tokenLastUsedAt: lastUsedAt } = caller;
        const getNetwork = () => toStoredAddress(clientIp, settings.current.eventsAddress);
        activity.tokenUsed({ tokenHash, userId, lastUsedAt, getNetwork });
      } else recordCredentialUse(activity, caller.credential);
    } catch (error) {
      // The response has been sent: its client must not notice.
      logger.error({ request_id: id, err: error }, 'a step after the response failed');
    }
  });
});

/** ADMIN_TOKEN has no record, and sessions of people record their own use. */
function recordCredentialUse(activity: ActivityRecorder, { id, lastUsedAt, role }: AdminCredential): void {
  if (id !== null && role === undefined) activity.credentialUsed(id, lastUsedAt);
}
