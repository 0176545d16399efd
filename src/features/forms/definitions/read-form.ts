/** Reads a form from the body of a request. */
import { createValidator } from '../../../lib/schema/validator.ts';
import { parseTimestamp } from '../../../lib/time/parse-time.ts';
import { Problem, type ProblemCode, type ProblemDetail } from '../../../problems/problem.ts';
import { details } from '../../../problems/validation-failed.ts';
import { formMembersSchema } from '../form-schemas.ts';
import { checkFields, findRepeatedLabels } from './check-fields.ts';
import { type Definition, normalizeField } from './definition.ts';

export type Thanks = { readonly text: string } | { readonly url: string };

/** The settings of a form, which are the same for all of its versions. Times in epoch milliseconds. */
export interface FormSettings {
  readonly access: 'public' | 'token';
  readonly once: boolean;
  readonly opens_at: number | null;
  readonly closes_at: number | null;
  readonly max_submissions: number | null;
  readonly retention_days: number | null;
  readonly on_erasure: 'delete' | 'unlink';
  readonly allowed_origins: readonly string[];
  readonly thanks: Thanks | null;
}

export interface GivenForm {
  readonly definition: Definition;
  readonly settings: FormSettings;
}

const validateMembers = createValidator(formMembersSchema);

/** @throws Problem invalid_payload, validation_failed with all failures, duplicate_label */
export function readForm(body: unknown): GivenForm {
  const { members, failures } = checkMembers(body);
  const { fields } = body as { readonly fields?: readonly Readonly<Record<string, unknown>>[] };
  const all = [...failures, ...checkFields(fields)];
  if (all.length > 0) throw definitionProblem('validation_failed', all);
  const normalized = fields!.map(normalizeField);
  const repeated = findRepeatedLabels(normalized);
  if (repeated.length > 0) throw definitionProblem('duplicate_label', repeated);
  const { title, description = null, ...settings } = members as { title: string; description?: string };
  return { definition: { title, description, fields: normalized }, settings: toSettings(settings) };
}

/** Returns the problem of a definition, with a pointer to each failure. */
export function definitionProblem(code: ProblemCode, failures: readonly ProblemDetail[]): Problem {
  const errors = failures.map(({ pointer, detail }) => ({ pointer, message: detail }));
  return new Problem(code, { errors, details: failures });
}

type Members = Readonly<Record<string, unknown>>;

function checkMembers(body: unknown): { members: Members; failures: readonly ProblemDetail[] } {
  try {
    const members = validateMembers(body);
    return { members, failures: checkSettings(toSettings(members)) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    return { members: {}, failures: error.options.details ?? [] };
  }
}

function toSettings(members: Members): FormSettings {
  const { opens_at: opensAt = null, closes_at: closesAt = null } = members as Record<string, string | null>;
  return {
    ...{ access: 'public', once: false, max_submissions: null, retention_days: null },
    ...{ on_erasure: 'delete', allowed_origins: [], thanks: null },
    ...members,
    opens_at: opensAt === null ? null : parseTimestamp(opensAt),
    closes_at: closesAt === null ? null : parseTimestamp(closesAt),
  } as FormSettings;
}

/** Rules that more than one member is needed for. */
function checkSettings(settings: FormSettings): ProblemDetail[] {
  const { access, once, opens_at, closes_at, allowed_origins, thanks } = settings;
  const errors: Record<string, string[]> = {};
  if (once && access === 'public') errors.once = ['The once field needs the access token.'];
  if (opens_at !== null && closes_at !== null && closes_at <= opens_at)
    errors.closes_at = ['The closes_at field must be later than opens_at.'];
  if (!allowed_origins.every((origin) => getOrigin(origin) === origin))
    errors.allowed_origins = ['The allowed_origins field must have origins such as https://example.com.'];
  if (thanks !== null && 'url' in thanks && !allowed_origins.includes(getOrigin(thanks.url) ?? ''))
    errors.thanks = ['The thanks field must have a URL of an allowed origin.'];
  return details(errors);
}

function getOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.origin : null;
}
