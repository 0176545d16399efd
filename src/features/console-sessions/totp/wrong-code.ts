/** The problem of a wrong code on operations of a session. */
import type { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';

/** Returns the problem, which names the member of the body. A 401 would mean that the session has ended. */
export function wrongCode(): Problem {
  return validationFailed({ code: ['The code is wrong, has expired or was used before.'] });
}
