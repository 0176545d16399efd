/** Repeats in a restored database what has ended since, so that nobody gets back what was taken from them. */
import type { Database } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordCredentialEvent } from '../../credentials/change-credential.ts';
import { deleteCredential, findCredential } from '../../credentials/queries.ts';
import { eraseUser } from '../../people/personal-data/erase-user.ts';
import { findUser, type UserRow } from '../../users/records/queries.ts';
import { updateUser } from '../../users/update-user.ts';
import type { Fact } from '../ledger.ts';
import { deleteSecrets, type LedgerType } from '../queries.ts';

/** Repeats the fact about a record. Returns whether that has changed anything. @throws Problem */
type Repeat = (database: Database, id: string, fact: Fact) => Promise<boolean>;

const clock = Date.now;
const isExpected = () => true;

const repeatFor =
  (repeat: (deps: Parameters<typeof eraseUser>[0], user: UserRow, fact: Fact) => Promise<unknown>): Repeat =>
  async (database, id, fact) => {
    const user = await findUser(database, id);
    if (user === undefined) return false;
    await repeat({ database, clock, maxErasureWaitMs: null }, user, fact);
    return (await findUser(database, id))?.version !== user.version;
  };

const REPEATS: Partial<Record<LedgerType, Repeat>> = {
  'user.erased': repeatFor((deps, { id }) => eraseUser(deps, id)),
  'user.disabled': repeatFor((deps, { id }) =>
    updateUser(deps, { id, changes: { state: 'disabled' }, isExpected }),
  ),
  'user.enabled': async () => false,
  // Of roles that were given since, none.
  'user.updated': repeatFor(async (deps, { id, role: before }, { role = null }) => {
    if (before !== null && role !== 'owner') await updateUser(deps, { id, changes: { role }, isExpected });
  }),
  'credential.revoked': (database, id) =>
    database.transaction(async (tx) => {
      const credential = await findCredential(tx, id);
      if (credential === undefined) return false;
      await deleteCredential(tx, id);
      await recordCredentialEvent(tx, credential, { type: 'credential.revoked', now: clock() });
      return true;
    }),
  // The backup has the secrets of before only, unless it is a later one.
  'credential.rotated': (database, id, { at }) =>
    database.transaction(async (tx) => {
      const rotatedAt = (await findCredential(tx, id))?.rotated_at ?? 0;
      return rotatedAt < Date.parse(at) && (await deleteSecrets(tx, id)) > 0;
    }),
};

/** Returns the facts that have changed something, and those that could not be repeated, if they are after `since`. */
export async function repeatFacts(database: Database, facts: readonly Fact[], since: string) {
  // What was merged since is data of another user, which an erasure would delete.
  const merged = new Set(facts.filter(({ type }) => type === 'user.merged').map(({ subject }) => subject));
  const repeatable = facts.filter(({ type, subject }) => type !== 'user.erased' || !merged.has(subject));
  const toKey = ({ type, subject }: Fact) => `${type.replace('enabled', 'disabled')} ${subject}`;
  const [repeated, missed]: [Fact[], Fact[]] = [[], []];
  // The last fact about a record decides.
  for (const fact of new Map(repeatable.map((each) => [toKey(each), each])).values()) {
    const repeat = REPEATS[fact.type];
    try {
      if (await repeat?.(database, fact.subject.slice(fact.subject.indexOf(':') + 1), fact))
        repeated.push(fact);
      if (repeat === undefined && fact.at > since) missed.push(fact);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      missed.push(fact);
    }
  }
  return { repeated, missed };
}
