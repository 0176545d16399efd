/** When tokens end. */
import { HOUR } from '../../../lib/time.ts';

/** Time without a request after which a sign-in session ends. */
export const SESSION_IDLE_MS = 12 * HOUR;

/**
 * The time in SQL until which a row of `tokens` is valid: its own expiry, and for a token of an application at the latest
 * the end of the sign-in session that it comes from. 0 once the session or the application was deleted.
 */
export const TOKEN_END = `case when tokens.session_id is null then tokens.expires_at else coalesce((
    select case
      when tokens.expires_at < session.expires_at and tokens.expires_at < session.last_used_at + ${SESSION_IDLE_MS}
        then tokens.expires_at
      when session.expires_at < session.last_used_at + ${SESSION_IDLE_MS} then session.expires_at
      else session.last_used_at + ${SESSION_IDLE_MS} end
    from sign_in_sessions as session
    where session.id = tokens.session_id and (tokens.application_id is null
      or exists (select 1 from applications where applications.id = tokens.application_id))), 0) end`;
