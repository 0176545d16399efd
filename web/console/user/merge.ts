/** Merges typed values with values that another person has stored meanwhile: pure functions. */
import type { User, UserChanges } from '../../common/api-types.ts';

export const FIELDS = { name: 'Name', email: 'Email', level: 'Level', locale: 'Language' } as const;
export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** The texts in the fields. */
export type FormValues = Readonly<Record<FieldName, string>>;

export function toFormValues({ name, email, level, locale }: User): FormValues {
  return { name: name ?? '', email: email ?? '', level: level ?? '', locale: locale ?? '' };
}

/** Returns the members that differ from the record. An empty level or language is none. */
export function getChanges(user: User, typed: FormValues): UserChanges {
  const stored = toFormValues(user);
  const changed = FIELD_NAMES.filter((field) => typed[field] !== stored[field]);
  return Object.fromEntries(
    changed.map((field) => [field, isOptional(field) && typed[field] === '' ? null : typed[field]]),
  );
}

const isOptional = (field: FieldName) => field === 'level' || field === 'locale';

export function isChanged(user: User, typed: FormValues): boolean {
  return Object.keys(getChanges(user, typed)).length > 0;
}

/** Returns the typed values, with the stored text in fields that were not edited. */
export function rebase(base: User, typed: FormValues, stored: User): FormValues {
  const before = toFormValues(base);
  const now = toFormValues(stored);
  return mapFields((field) => (typed[field] === before[field] ? now[field] : typed[field]));
}

/** Whether a field was changed here and, differently, there. */
export function isConflict(base: User, typed: FormValues, stored: User): boolean {
  const before = toFormValues(base);
  const now = toFormValues(stored);
  return FIELD_NAMES.some(
    (field) => typed[field] !== before[field] && now[field] !== before[field] && typed[field] !== now[field],
  );
}

export function mapFields(getText: (field: FieldName) => string): FormValues {
  const level = getText('level');
  return { name: getText('name'), email: getText('email'), level, locale: getText('locale') };
}
