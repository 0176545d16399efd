/** Statements that read tokens and sessions of the console. */
import { BATCH, type Exception, except } from './exception.ts';

const CHANGED = 'reads only what it changes, one batch at a time';

export const TOKENS: readonly Exception[] = [
  ...except(CHANGED, {
    'select hash from tokens where network is not null and created_at < $1': 'range of tokens_network',
    'from tokens where last_used_network is not null and last_used_at <': 'range of tokens_last_used_network',
  }),
  ...except(BATCH, {
    'from tokens where hash in (select hash from tokens where expires_at': 'range of tokens_expires_at',
    'delete from tokens where hash in ( select tokens.hash from': 'range of sign_in_sessions_last_used_at',
    'delete from sign_in_sessions where id in (': 'range of sign_in_sessions_last_used_at',
    'update sign_in_sessions set shown = null where id in (': 'range of sign_in_sessions_shown',
    'in ( select hash from authorization_codes where expires_at': 'range of authorization_codes_expires_at',
    '( select hash from device_authorizations where expires_at': 'range of device_authorizations_expires_at',
    'delete from upstream_requests where state_hash in (': 'range of upstream_requests_expires_at',
    'select browser_hash from pending_identities where expires_at': 'range of pending_identities_expires_at',
    'email_key, network from sign_in_codes where code_expires_at': 'range of sign_in_codes_code_expires_at',
    'delete from passkey_challenges where hash in (': 'range of passkey_challenges_expires_at',
    'delete from sign_in_challenges where hash in (': 'range of sign_in_challenges_expires_at',
  }),
  ...except('reads the first row of each range', {
    'select rp_id from ( select min(rp_id)': 'range of passkeys_rp_id',
  }),
  ...except('deletes the networks of an account that its owner takes over, once', {
    'delete from known_networks where user_id = $1': 'rows of one user in known_networks',
  }),
  ...except('sorts the codes of one session, 20 as a rule', {
    'from authorization_codes where hash in ( select hash from authorization_codes where session_id': 'sorts',
  }),
  ...except('sorts the programs of an application in which one user stays signed in, 20 as a rule', {
    'delete from tokens where user_id = $1 and family_id in ( select id from tokens where user_id =': 'sorts',
  }),
  ...except('sorts the sessions of one credential, ten as a rule', {
    'delete from console_sessions where credential = $1 and hash <> $2 and hash not in (': 'sorts',
  }),
];
