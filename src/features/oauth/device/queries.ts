import type { Tx } from '../../../database/database.ts';
import { prepareChange, prepareGet, prepareRun } from '../../../database/prepare.ts';
import { MINUTE } from '../../../lib/time.ts';

/** A device that waits for a person to confirm it, or has got its token. Times in epoch milliseconds. */
export interface DeviceRow {
  /** SHA-256 of the device code in hex. */
  readonly hash: string;
  /** A keyed hash: a user code is too short for one without a key. */
  readonly user_code_hash: string;
  readonly application_id: string;
  /** Those of the token, separated by spaces. */
  readonly scopes: string;
  readonly interval_seconds: number;
  readonly polled_at: number | null;
  /** The program that has begun, and its network. */
  readonly device: string | null;
  readonly network: string | null;
  /** The person who has decided, in the sign-in session with which the decision ends; null before. */
  readonly user_id: string | null;
  readonly session_id: string | null;
  /** 1 or 0; null before the decision. */
  readonly allowed: number | null;
  /** Those of the session. `amr` is separated by spaces. */
  readonly amr: string | null;
  readonly authenticated_at: number | null;
  /** The token that the code was exchanged for; null before. */
  readonly token_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

const COLUMNS = `hash, user_code_hash, application_id, scopes, interval_seconds, polled_at, device, network, user_id,
  session_id, allowed, amr, authenticated_at, token_id, created_at, expires_at`;

type NewDevice = Omit<
  DeviceRow,
  'polled_at' | 'user_id' | 'session_id' | 'allowed' | 'amr' | 'authenticated_at' | 'token_id'
>;

/** Stores a device. Returns whether its user code is that of no other one. */
export const insertDevice = prepareChange<NewDevice>(`
  insert into device_authorizations
    (hash, user_code_hash, application_id, scopes, interval_seconds, device, network, created_at, expires_at)
  values ($hash, $user_code_hash, $application_id, $scopes, $interval_seconds, $device, $network, $created_at,
    $expires_at)
  on conflict (user_code_hash) do nothing`);

type DeviceKey = Pick<DeviceRow, 'hash' | 'application_id'>;

/** Returns undefined also for a device of another application. */
export const findDevice = prepareGet<DeviceRow, DeviceKey>(
  `select ${COLUMNS} from device_authorizations where hash = $hash and application_id = $application_id`,
);

/** Returns the device with a user code that has not expired at `now`. */
export const findByUserCode = prepareGet<DeviceRow, [userCodeHash: string, now: number]>(
  `select ${COLUMNS} from device_authorizations where user_code_hash = $1 and expires_at > $2`,
);

/**
 * Records a poll. One that comes earlier than the interval after the last one makes it longer by five seconds; a second
 * is left to the network. Returns the interval from now on; undefined if the device was confirmed or denied meanwhile.
 */
export const recordPoll = prepareGet<
  Pick<DeviceRow, 'interval_seconds'>,
  Pick<DeviceRow, 'hash'> & { readonly now: number },
  Tx
>(`
  update device_authorizations set polled_at = $now, interval_seconds = interval_seconds
    + case when polled_at > $now - (interval_seconds - 1) * 1000 then 5 else 0 end
  where hash = $hash and allowed is null
  returning interval_seconds`);

type Decision = Pick<DeviceRow, 'user_code_hash' | 'user_id' | 'session_id' | 'amr' | 'authenticated_at'> & {
  readonly allowed: number;
  readonly now: number;
};

const lockSession = prepareChange<Decision>(
  'update sign_in_sessions set amr = amr where id = $session_id and user_id = $user_id',
);
const decide = prepareGet<DeviceRow, Decision, Tx>(`
  update device_authorizations set allowed = $allowed, user_id = $user_id, session_id = $session_id, amr = $amr,
    authenticated_at = $authenticated_at
  where user_code_hash = $user_code_hash and allowed is null and expires_at > $now
  returning ${COLUMNS}`);

/** Stores what a person has decided. Returns undefined after another decision, and if the code or the session has ended. */
export const decideDevice = async (tx: Tx, decision: Decision): Promise<DeviceRow | undefined> =>
  (await lockSession(tx, decision)) ? decide(tx, decision) : undefined;

/** Uses the code of an allowed device for a token, and returns it; undefined if it has expired or was used. */
export const useDevice = prepareGet<
  DeviceRow,
  DeviceKey & { readonly now: number; readonly tokenId: string },
  Tx
>(`
  update device_authorizations set token_id = $tokenId
  where hash = $hash and application_id = $application_id and allowed = 1 and token_id is null and expires_at > $now
  returning ${COLUMNS}`);

const deleteExpiredBefore = prepareRun<[before: number, limit: number]>(`
  delete from device_authorizations where hash in (
    select hash from device_authorizations where expires_at < $1 order by expires_at limit $2)`);

/** Deletes devices whose codes expired more than a minute ago; until then, programs are told so. Returns their number. */
export const deleteOldDevices = (tx: Tx, now: number, limit: number) =>
  deleteExpiredBefore(tx, now - MINUTE, limit);
