/** The problem of a body whose members break rules. */
import { catalogue, Problem, type ProblemCode, type ProblemDetail, type ProblemOptions } from './problem.ts';

/** Messages by member, in the order of the schema. */
export type MemberErrors = Readonly<Record<string, readonly string[]>>;

/** Returns the problem with the messages by member; its text is the first message and the number of the others. */
export function validationFailed(errors: MemberErrors): Problem {
  return new Problem('validation_failed', { text: summary(errors), errors, details: details(errors) });
}

/** Returns the problem with the messages by query parameter. JSON pointers are for members of bodies. */
export function queryFailed(errors: MemberErrors): Problem {
  return new Problem('validation_failed', { text: summary(errors), errors });
}

/** Returns the problem of a member whose value another record has, such as `email_taken`. */
export function alreadyTaken(code: ProblemCode, member: string, options: ProblemOptions = {}): Problem {
  const errors = { [member]: [catalogue[code].text] };
  return new Problem(code, { ...options, errors, details: details(errors) });
}

function summary(errors: MemberErrors): string {
  const messages = Object.values(errors).flat();
  const more = messages.length - 1;
  return more === 0 ? messages[0]! : `${messages[0]} (and ${more} more ${more === 1 ? 'error' : 'errors'})`;
}

export function details(errors: MemberErrors): ProblemDetail[] {
  return Object.entries(errors).flatMap(([name, messages]) =>
    messages.map((detail) => ({ pointer: toPointer(name), detail })),
  );
}

/** Returns the JSON pointer to a member of the body, as a fragment of a URI (RFC 6901 section 6). */
export function toPointer(...path: readonly (string | number)[]): string {
  const encode = (token: string) => token.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
  return `#${path.map((token) => `/${encodeURIComponent(encode(String(token)))}`).join('')}`;
}
