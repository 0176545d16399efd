/**
 * Shows a session again what is shown once: for some minutes, encrypted, or until the person says that they have it. No
 * other session is shown it.
 */
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { type SecretSeal, tryUnseal } from '../../../lib/secrets/encryption.ts';
import { MINUTE } from '../../../lib/time.ts';
import type { Enrolment } from '../second-factor/enrol.ts';
import * as queries from './queries.ts';
import type { SignInSession } from './sessions.ts';

/** Setting an app up may begin with its installation. */
const LIFETIME_MS = { enrolment: 15 * MINUTE, others: 5 * MINUTE } as const;

/** Either the secret of an app that is being set up, or recovery codes, or the options of a new passkey. */
export interface Shown {
  readonly enrolment?: Enrolment;
  readonly codes?: readonly string[];
  readonly passkey?: object;
}

type Session = Pick<SignInSession, 'id' | 'userId'>;

export type ShownOnce = ReturnType<typeof createShownOnce>;

export function createShownOnce({ database, clock, seal }: DatabaseDeps & { readonly seal: SecretSeal }) {
  return {
    /** Stores what the session is shown, instead of what it was before; other sessions of the user are shown nothing. */
    async keep(tx: Tx, { id, userId }: Session, content: Shown): Promise<void> {
      const lifetime = content.enrolment === undefined ? LIFETIME_MS.others : LIFETIME_MS.enrolment;
      const shown = seal.seal(id, Buffer.from(JSON.stringify(content)));
      await queries.deleteShown(tx, userId);
      await queries.writeShown(tx, { id, shown, until: clock() + lifetime });
    },
    /** Returns what the session is shown; an empty object for nothing. */
    async find({ id }: Session): Promise<Shown> {
      const row = await queries.findShown(database, id, clock());
      const content = row === undefined ? null : tryUnseal(seal, id, row.shown);
      return content === null ? {} : JSON.parse(Buffer.from(content).toString());
    },
    forget: ({ userId }: Session) => database.transaction((tx) => queries.deleteShown(tx, userId)),
  };
}
