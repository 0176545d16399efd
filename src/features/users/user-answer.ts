import type { Answer } from '../../http/route.ts';
import { Problem } from '../../problems.ts';
import { isId } from '../../tools/ids.ts';
import type { UserRow } from './queries.ts';
import { userTag, userView } from './user-view.ts';

/** @throws Problem user_not_found for text that cannot be an id: the database need not be asked */
export function knownId(id: string): string {
  if (!isId(id)) throw new Problem('user_not_found');
  return id;
}

/** A record as the answer to those who may see it. */
export function userAnswer(user: UserRow): Answer {
  return {
    status: 200,
    headers: { etag: userTag(user) },
    body: { message: `User ${user.id}`, data: userView(user) },
  };
}
