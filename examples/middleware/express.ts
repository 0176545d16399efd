/** Middleware for Express, Connect and others that call `(request, response, next)`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRejection, type VerifiedUser, type Verify } from './verify.ts';

export type AuthenticatedRequest = IncomingMessage & { user?: VerifiedUser };

// #region middleware
/** Creates the middleware: `app.use('/api', authenticate(createVerifier(options)))`, or with `createJwtVerifier`. */
export function authenticate(verify: Verify) {
  return async (request: AuthenticatedRequest, response: ServerResponse, next: () => void): Promise<void> => {
    const result = await verify(request.headers.authorization);
    if (isRejection(result)) return void response.writeHead(result.status, result.headers).end();
    request.user = result;
    next();
  };
}
// #endregion
