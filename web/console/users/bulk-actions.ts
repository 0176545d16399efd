/** Actions on many users. */
import { request } from '../session.ts';
import { changeUser, ifMatch, type User, userPath } from '../user-record.tsx';

export type BulkActionId = 'enable' | 'disable' | 'revoke' | 'erase';

export interface BulkAction {
  /** `Disable`, before the number of users. */
  readonly verb: string;
  /** `disabled`, after the number of users. */
  readonly done: string;
  readonly consequence: string;
  readonly isDestructive: boolean;
  /** Returns the user afterwards, if there is one. */
  readonly run: (user: User) => Promise<User | null>;
  /** The action that takes this one back, for users whose state it has changed. */
  readonly reverse?: 'enable' | 'disable';
}

export const BULK_ACTIONS: Readonly<Record<BulkActionId, BulkAction>> = {
  disable: {
    verb: 'Disable',
    done: 'disabled',
    consequence:
      'They are logged out everywhere at once, and links that were sent to them stop working. They cannot log in until they are enabled again.',
    isDestructive: true,
    run: (user) => changeUser(user, { state: 'disabled' }),
    reverse: 'enable',
  },
  enable: {
    verb: 'Enable',
    done: 'enabled',
    consequence: 'They can log in again.',
    isDestructive: false,
    run: (user) => changeUser(user, { state: 'active' }),
    reverse: 'disable',
  },
  revoke: {
    verb: 'Revoke the tokens of',
    done: 'logged out everywhere',
    consequence:
      'All of their sessions end at once, also those of programs that use their tokens. They can log in again. This cannot be undone.',
    isDestructive: true,
    run: async ({ id }) => {
      await request(`${userPath(id)}/tokens`, { method: 'DELETE' });
      return null;
    },
  },
  erase: {
    verb: 'Erase',
    done: 'erased',
    consequence:
      'Their records, tokens, links and security events are deleted for good. This cannot be undone.',
    isDestructive: true,
    run: async (user) => {
      await request(userPath(user.id), { method: 'DELETE', headers: ifMatch(user) });
      return null;
    },
  },
};

export function usersText(count: number): string {
  return count === 1 ? '1 user' : `${count} users`;
}
