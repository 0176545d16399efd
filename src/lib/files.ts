/** Access rights of a file. */
import type { Stats } from 'node:fs';

/** Returns whether users other than `user` and root can use the file; one group may read a file of root, as mounted. */
export function isAccessibleToOthers(
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  user: number | undefined,
): boolean {
  const isForGroup = uid === 0 && user !== 0;
  return (mode & (isForGroup ? 0o037 : 0o077)) !== 0;
}
