/** Actions on many users: operations of a batch. */
import { formatCounted } from '../../../common/components.tsx';

export type BulkActionId = 'enable' | 'disable' | 'revoke' | 'erase';

export interface BulkAction {
  /** `Disable`, before the number of users. */
  readonly verb: string;
  /** `disabled`, after the number of users. */
  readonly done: string;
  /** `disabled already`, after the number of users that the action has not changed. */
  readonly unchanged?: string;
  readonly consequence: string;
  readonly isDestructive: boolean;
  /** The reverse of a change of the state. It leaves out unclaimed users, who cannot sign in. */
  readonly reverse?: 'enable' | 'disable';
  /** Effects that the reverse action does not restore. */
  readonly irreversible?: string;
}

export const BULK_ACTIONS: Readonly<Record<BulkActionId, BulkAction>> = {
  disable: {
    verb: 'Disable',
    done: 'disabled',
    unchanged: 'disabled already',
    consequence:
      'They are signed out everywhere at once, and links that were sent to them stop working. They cannot sign in until they are enabled again.',
    isDestructive: true,
    reverse: 'enable',
    irreversible: 'Their tokens stay revoked, and links that were sent to them stay invalid.',
  },
  enable: {
    verb: 'Enable',
    done: 'enabled',
    unchanged: 'enabled already',
    consequence: 'They can sign in again.',
    isDestructive: false,
    reverse: 'disable',
  },
  revoke: {
    verb: 'Revoke the tokens of',
    done: 'signed out everywhere',
    consequence:
      'All of their sessions end at once, also those of programs that use their tokens. They can sign in again. This cannot be undone.',
    isDestructive: true,
  },
  erase: {
    verb: 'Erase',
    done: 'erased',
    consequence:
      'Their records, tokens, links and security events are erased permanently. This cannot be undone.',
    isDestructive: true,
  },
};

export function usersText(count: number): string {
  return formatCounted(count, 'user');
}
