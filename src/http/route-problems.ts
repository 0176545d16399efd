/** Every refusal that an operation can give: what its entry names, and what its access and body bring along. */
import type { ProblemCode } from '../problems.ts';
import type { Route } from './route.ts';

const ALWAYS: readonly ProblemCode[] = ['malformed_request', 'internal_error', 'service_unavailable'];
const WITH_BODY: readonly ProblemCode[] = ['invalid_payload', 'validation_failed', 'payload_too_large'];

export function problemsOf(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>(ALWAYS);
  if (route.mediaType === undefined) codes.add('not_acceptable');
  codes.add('unsupported_media_type');
  if (route.access !== 'public') codes.add('unauthorized');
  if (route.scope !== undefined) codes.add('insufficient_scope');
  if (route.body !== undefined) for (const code of WITH_BODY) codes.add(code);
  if (route.params !== undefined) codes.add('invalid_path').add('not_found');
  for (const code of route.problems ?? []) codes.add(code);
  return [...codes];
}
