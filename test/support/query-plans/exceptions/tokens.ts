/** Statements that read tokens and sessions of the console. */
import { BATCH, type Exception, except } from './exception.ts';

const CHANGED = 'reads only what it changes, one batch at a time';

export const TOKENS: readonly Exception[] = [
  ...except(CHANGED, {
    'select hash from tokens where network is not null and created_at < $1':
      'reads a range of tokens by tokens_network',
    'select hash from tokens where last_used_network is not null and last_used_at < $1':
      'reads a range of tokens by tokens_last_used_network',
  }),
  ...except(BATCH, {
    'delete from tokens where hash in (select hash from tokens where expires_at':
      'reads a range of tokens by tokens_expires_at',
    'delete from tokens where hash in ( select tokens.hash from sign_in_sessions':
      'reads a range of sign_in_sessions by sign_in_sessions_last_used_at',
    'delete from sign_in_sessions where id in (':
      'reads a range of sign_in_sessions by sign_in_sessions_last_used_at',
    'update sign_in_sessions set shown = null where id in (':
      'reads a range of sign_in_sessions by sign_in_sessions_shown',
    'delete from authorization_codes where hash in ( select hash from authorization_codes where expires_at':
      'reads a range of authorization_codes by authorization_codes_expires_at',
    'delete from device_authorizations where hash in ( select hash from device_authorizations where expires_at':
      'reads a range of device_authorizations by device_authorizations_expires_at',
    'delete from upstream_requests where state_hash in (':
      'reads a range of upstream_requests by upstream_requests_expires_at',
    'select browser_hash from pending_identities where expires_at':
      'reads a range of pending_identities by pending_identities_expires_at',
    'select email_key, network from sign_in_codes where code_expires_at':
      'reads a range of sign_in_codes by sign_in_codes_code_expires_at',
    'delete from passkey_challenges where hash in (':
      'reads a range of passkey_challenges by passkey_challenges_expires_at',
    'delete from sign_in_challenges where hash in (':
      'reads a range of sign_in_challenges by sign_in_challenges_expires_at',
  }),
  ...except('reads the first row of each range', {
    'select rp_id from ( select min(rp_id)': 'reads a range of passkeys by passkeys_rp_id',
  }),
  ...except('deletes the networks of an account that its owner takes over, once', {
    'delete from known_networks where user_id = $1':
      'reads the rows of one user of known_networks by PRIMARY KEY',
  }),
  ...except('sorts the codes of one session, 20 as a rule', {
    'delete from authorization_codes where hash in ( select hash from authorization_codes where session_id':
      'sorts',
  }),
  ...except('sorts the programs of an application in which one user stays signed in, 20 as a rule', {
    'delete from tokens where user_id = $1 and family_id in ( select id from tokens where user_id = $1':
      'sorts',
  }),
  ...except('sorts the sessions of one credential, ten as a rule', {
    'delete from console_sessions where credential = $1 and hash <> $2 and hash not in (': 'sorts',
  }),
];
