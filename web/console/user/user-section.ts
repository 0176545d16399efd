/** Shared properties of the sections of a user. */
import type { User } from '../../common/api-types.ts';
import { isOutdated } from '../users/record.tsx';

/** Properties of the sections of a user. */
export interface UserSection {
  readonly user: User;
  /** Increases with each change, so that all sections load the changed data. */
  readonly revision: number;
  readonly onChange: () => void;
}

/** Properties of the dialogs of a user. */
export interface UserDialog extends UserSection {
  readonly onClose: () => void;
}

/** Loads the user again when another person has changed them, so that the next attempt is based on the shown version. */
export async function orReload<T>(change: Promise<T>, onChange: () => void): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (isOutdated(error)) onChange();
    throw error;
  }
}
