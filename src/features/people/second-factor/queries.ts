import type { Tx } from '../../../database/database.ts';
import { prepareChange, prepareGet, prepareRun, prepareValue } from '../../../database/prepare.ts';

/** The record of a user shows whether there is a second factor. */
const setEnabled = prepareRun<{ id: string; enabledAt: number | null; now: number }>(`
  update users set totp_enabled_at = $enabledAt, version = version + 1, updated_at = $now where id = $id`);
const deleteApp = prepareRun<[id: string]>('delete from user_totp where user_id = $1');
const deleteCodes = prepareRun<[id: string]>('delete from user_recovery_codes where user_id = $1');
const insertCode = prepareRun<[id: string, hash: string]>(
  'insert into user_recovery_codes (user_id, hash) values ($1, $2)',
);

/** The stored second factors of users. */
export const userFactors = {
  /** Returns the encrypted secret of the authenticator app, also of one that is not confirmed yet. */
  findApp: prepareGet<{ secret: Uint8Array }, [id: string]>(
    `select secret from user_totp where user_id = $1`,
  ),
  /** Stores the secret of a new app, which is not confirmed yet. */
  writeApp: prepareRun<[id: string, secret: Uint8Array]>(`
    insert into user_totp (user_id, secret, last_step) values ($1, $2, 0)
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0`),
  /** Stores the step of an accepted code. Returns whether it is later than that of the last one. */
  useStep: prepareChange<[id: string, step: number]>(
    `update user_totp set last_step = $2 where user_id = $1 and last_step < cast($2 as bigint)`,
  ),
  /** Demands codes of the stored app from now on. */
  enable: (tx: Tx, id: string, now: number) => setEnabled(tx, { id, enabledAt: now, now }),
  /** Deletes the app and the recovery codes. */
  async remove(tx: Tx, id: string, now: number): Promise<void> {
    await setEnabled(tx, { id, enabledAt: null, now });
    await deleteApp(tx, id);
    await deleteCodes(tx, id);
  },
  /** Replaces the recovery codes by those with these hashes. */
  async replaceCodes(tx: Tx, id: string, hashes: readonly string[]): Promise<void> {
    await deleteCodes(tx, id);
    for (const hash of hashes) await insertCode(tx, id, hash);
  },
  /** Deletes a recovery code. Returns whether there was one with this hash. */
  useCode: prepareChange<[id: string, hash: string]>(
    `delete from user_recovery_codes where user_id = $1 and hash = $2`,
  ),
  /** Returns the number of recovery codes that were not used. */
  countCodes: prepareValue<number, [id: string]>(
    `select count(*) as codes from user_recovery_codes where user_id = $1`,
  ),
};
