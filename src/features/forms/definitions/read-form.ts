/** Reads a form from the body of a request. */
import type { JsonSchema, SchemaValue } from '../../../lib/schema/json-schema.ts';
import { createValidator } from '../../../lib/schema/validator.ts';
import { isTimeZone } from '../../../lib/text/locale.ts';
import { parseTimestamp } from '../../../lib/time.ts';
import { Problem, type ProblemCode, type ProblemDetail } from '../../../problems/problem.ts';
import { details } from '../../../problems/validation-failed.ts';
import { FIELD_MEMBERS, formBodySchema } from '../form-schemas.ts';
import type { FormRow } from '../queries.ts';
import { checkFields, findRepeatedLabels, isWellFormed } from './check-fields.ts';
import type { Definition, Field } from './definition.ts';

export interface GivenForm {
  readonly definition: Definition;
  /** Columns that are the same for all versions of the form. */
  readonly settings: ReturnType<typeof toSettings>;
}

/** The body without the fields, whose rules have messages of their own. */
const membersSchema = {
  ...formBodySchema,
  required: ['title'],
  properties: { ...formBodySchema.properties, fields: { type: 'array', 'x-ignored': true } },
} as const satisfies JsonSchema;

type Members = SchemaValue<typeof membersSchema>;

const validateMembers = createValidator(membersSchema);

/** @throws Problem invalid_payload, validation_failed with all failures, duplicate_label if labels are the only ones */
export function readForm(body: unknown): GivenForm {
  const { members, failures } = checkMembers(body);
  const { fields: given } = body as { readonly fields?: readonly Readonly<Record<string, unknown>>[] };
  const all = [...failures, ...checkFields(given)];
  const repeated = findRepeatedLabels(given);
  if (all.length > 0) throw definitionProblem('validation_failed', [...all, ...repeated]);
  if (repeated.length > 0) throw definitionProblem('duplicate_label', repeated);
  const fields = given!.map(normalizeField);
  const { title, description = null } = members!;
  return { definition: { title, description, fields }, settings: toSettings(members!) };
}

/** Returns the problem of a definition, with a pointer to each failure. */
export function definitionProblem(code: ProblemCode, failures: readonly ProblemDetail[]): Problem {
  const errors = failures.map(({ pointer, detail }) => ({ pointer, message: detail }));
  return new Problem(code, { errors, details: failures });
}

function checkMembers(body: unknown): { members?: Members; failures: readonly ProblemDetail[] } {
  try {
    const members = validateMembers(body) as unknown as Members;
    return { members, failures: details(checkSettings(members)) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    const failures = (error.options.details ?? []).map(describeNested);
    const valid = omitInvalid(body as Members, failures);
    return { failures: [...failures, ...details(checkSettings(valid))] };
  }
}

/** Returns the members that can be checked beside those that are invalid. */
function omitInvalid(body: Members, failures: readonly ProblemDetail[]): Members {
  const names = new Set(failures.map(({ pointer }) => pointer.split('/')[1]));
  if (names.has('access')) names.add('once');
  if (names.has('allowed_origins')) names.add('thanks');
  // Null is the same as absent.
  const entries = Object.entries(body).filter(([name, value]) => value !== null && !names.has(name));
  return Object.fromEntries(entries) as Members;
}

/** What the members with members of their own must be. */
const NESTED: Readonly<Record<string, string>> = {
  '#/thanks': 'The thanks field must have either a text of 1 to 1,000 characters or a url.',
  '#/notify': 'The notify field must have addresses, 1 to 5 emails, and every, which is submission or hour.',
};

function describeNested(failure: ProblemDetail): ProblemDetail {
  return { ...failure, detail: NESTED[failure.pointer] ?? failure.detail };
}

function checkSettings({ access, once, opens_at, closes_at, time_zone, ...more }: Members) {
  const { allowed_origins = [], thanks } = more;
  const errors: Record<string, string[]> = {};
  if (once && access !== 'token') errors.once = ['The once field needs the access token.'];
  if (time_zone && !isTimeZone(time_zone))
    errors.time_zone = ['The time_zone field must be a time zone such as Europe/Berlin.'];
  if (opens_at && closes_at && parseTimestamp(closes_at)! <= parseTimestamp(opens_at)!)
    errors.closes_at = ['The closes_at field must be later than opens_at.'];
  if (!allowed_origins.every((origin) => getOrigin(origin) === origin))
    errors.allowed_origins = ['The allowed_origins field must have origins such as https://example.com.'];
  if (thanks?.url !== undefined && !allowed_origins.includes(getOrigin(thanks.url) ?? ''))
    errors.thanks = ['The thanks field must have a URL of an allowed origin.'];
  if (!isWellFormed(thanks?.text)) errors.thanks = ['The thanks field format is invalid.'];
  return errors;
}

function getOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.origin : null;
}

function toSettings({ opens_at, closes_at, allowed_origins = [], thanks, notify, ...members }: Members) {
  const { access = 'public', on_erasure = 'delete', once = false } = members;
  const { max_submissions = null, max_per_minute = null, retention_days = null, time_zone = null } = members;
  return {
    ...{ access, on_erasure, once: Number(once), time_zone },
    ...{ max_submissions, max_per_minute, retention_days },
    opens_at: opens_at ? parseTimestamp(opens_at) : null,
    closes_at: closes_at ? parseTimestamp(closes_at) : null,
    allowed_origins: JSON.stringify(allowed_origins),
    thanks: thanks ? JSON.stringify(thanks) : null,
    notify: notify ? JSON.stringify(notify) : null,
  } satisfies Partial<FormRow>;
}

/** Returns a checked field as it is stored: absent, null and false are the same for optional members. */
function normalizeField(field: Readonly<Record<string, unknown>>): Field {
  const names = FIELD_MEMBERS.filter((name) => name === 'is_required' || (field[name] ?? false) !== false);
  return Object.fromEntries(names.map((name) => [name, field[name]])) as unknown as Field;
}
