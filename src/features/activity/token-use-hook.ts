/** Records that tokens are used, after the responses to their requests. */
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import type { ActivityRecorder } from './recorder.ts';

export interface TokenUseOptions {
  readonly activity: ActivityRecorder;
  readonly logger: Logger;
}

export const tokenUse = fp<TokenUseOptions>(async (app, { activity, logger }) => {
  app.addHook('onResponse', ({ caller, id }, reply, done) => {
    done();
    if (caller.kind !== 'user' || reply.statusCode >= 400) return;
    try {
      activity.tokenUsed(caller.tokenHash, caller.userId, caller.tokenLastUsedAt);
    } catch (error) {
      // The response has been sent: its client must not notice.
      logger.error({ request_id: id, err: error }, 'a step after the response failed');
    }
  });
});
