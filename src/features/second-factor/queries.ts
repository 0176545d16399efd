import type { Tx } from '../../database/database.ts';
import { prepareChange, prepareGet, prepareRun, prepareValue } from '../../database/prepare.ts';

/** The stored second factors of all owners of one kind. */
export type FactorStore = ReturnType<typeof createStore>;

/** Second factors of credentials and of users are stored alike. `updates`: assignments when one is switched on or off. */
function createStore(owner: 'credential' | 'user', updates = '') {
  const [app, codes, id] = [`${owner}_totp`, `${owner}_recovery_codes`, `${owner}_id`];
  const setEnabled = prepareRun<{ id: string; enabledAt: number | null; now: number }>(
    `update ${owner}s set totp_enabled_at = $enabledAt${updates} where id = $id`,
  );
  const deleteApp = prepareRun<[id: string]>(`delete from ${app} where ${id} = $1`);
  const deleteCodes = prepareRun<[id: string]>(`delete from ${codes} where ${id} = $1`);
  const insertCode = prepareRun<[id: string, hash: string]>(
    `insert into ${codes} (${id}, hash) values ($1, $2)`,
  );
  return {
    /** Returns the encrypted secret of the authenticator app, also of one that is not confirmed yet. */
    findApp: prepareGet<{ secret: Uint8Array }, [id: string]>(`select secret from ${app} where ${id} = $1`),
    /** Stores the secret of a new app, which is not confirmed yet. */
    writeApp: prepareRun<[id: string, secret: Uint8Array]>(`
      insert into ${app} (${id}, secret, last_step) values ($1, $2, 0)
      on conflict (${id}) do update set secret = excluded.secret, last_step = 0`),
    /** Stores the step of an accepted code. Returns whether it is later than that of the last one. */
    useStep: prepareChange<[id: string, step: number]>(
      `update ${app} set last_step = $2 where ${id} = $1 and last_step < cast($2 as bigint)`,
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
    useCode: prepareChange<[id: string, hash: string]>(`delete from ${codes} where ${id} = $1 and hash = $2`),
    /** Returns the number of recovery codes that were not used. */
    countCodes: prepareValue<number, [id: string]>(`select count(*) as codes from ${codes} where ${id} = $1`),
  };
}

export const credentialFactors = createStore('credential');

/** The record of a user shows whether there is one. */
export const userFactors = createStore('user', ', version = version + 1, updated_at = $now');
