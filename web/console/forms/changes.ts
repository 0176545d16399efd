/** Differences between two versions of a form, in words. */
import type { FormField } from '../../common/api-types.ts';
import { pageLanguage } from '../../common/page-language.ts';
import { type FormBody, type FormMember, findKind, KINDS, toFieldName } from './typed.ts';

interface Change {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly name: string;
  readonly detail: string;
}

/** Returns the differences of the part that is published. */
export function listDefinitionChanges(before: FormBody, after: FormBody): Change[] {
  const texts = (['title', 'description'] as const).filter((member) => before[member] !== after[member]);
  const changes = texts.map((member) =>
    changed(MEMBER_NAMES[member], `${formatMember(before[member])} → ${formatMember(after[member])}`),
  );
  return [...changes, ...listFieldChanges(before.fields, after.fields)];
}

const changed = (name: string, detail: string): Change => ({ kind: 'changed', name, detail });

export function listFieldChanges(before: readonly FormField[], after: readonly FormField[]): Change[] {
  const old = new Map(before.map((field) => [field.label, field]));
  const labels = after.map(({ label }) => label);
  const kept = labels.filter((label) => old.has(label));
  const isReordered =
    kept.join('\n') !== [...old.keys()].filter((label) => labels.includes(label)).join('\n');
  const changes = after.flatMap((field): Change[] => {
    const earlier = old.get(field.label);
    const name = toFieldName(field);
    if (earlier === undefined) return [{ kind: 'added', name, detail: describeField(field) }];
    const details = listDetails(earlier, field);
    return details.length === 0 ? [] : [changed(name, details.join('; '))];
  });
  const removed = before.filter(({ label }) => !labels.includes(label));
  const detail = 'earlier answers stay, and stay in exports as a last column';
  return [
    ...changes,
    ...(isReordered ? [changed('Order of the fields', '')] : []),
    ...removed.map((field) => ({ kind: 'removed' as const, name: toFieldName(field), detail })),
  ];
}

/** Returns `number, required`. */
export function describeField(field: FormField): string {
  return `${KINDS[findKind(field)].name.toLowerCase()}, ${field.is_required ? 'required' : 'optional'}`;
}

const COMPARED = {
  title: 'question',
  help: 'help',
  max_length: 'maximum length',
  min: 'minimum',
  max: 'maximum',
} as const;

/** Returns what differs between two versions of a field. */
function listDetails(before: FormField, after: FormField): string[] {
  const [old, now] = [before.options ?? [], after.options ?? []];
  const quote = (options: readonly string[], others: readonly string[], verb: string) =>
    options.filter((option) => !others.includes(option)).map((option) => `choice “${option}” ${verb}`);
  const choices = [...quote(now, old, 'added'), ...quote(old, now, 'removed')];
  const isReordered = choices.length === 0 && old.join('\n') !== now.join('\n');
  const kinds = [describeField(before), describeField(after)];
  const members = Object.entries(COMPARED).flatMap(([name, text]) => {
    const values = [before, after].map((field) => formatMember(field[name as keyof typeof COMPARED] ?? null));
    return values[0] === values[1] ? [] : [`${text}: ${values.join(' → ')}`];
  });
  return [
    ...(kinds[0] === kinds[1] ? [] : [kinds.join(' → ')]),
    ...choices,
    ...(isReordered ? ['order of the choices'] : []),
    ...members,
  ];
}

export const MEMBER_NAMES: Readonly<Record<FormMember, string>> = {
  title: 'Title',
  description: 'Description',
  fields: 'Fields',
  access: 'Who can submit',
  once: 'Once per user',
  allowed_origins: 'Allowed origins',
  time_zone: 'Time zone',
  opens_at: 'Opens',
  closes_at: 'Closes',
  max_submissions: 'Maximum of submissions',
  max_per_minute: 'From one network in a minute',
  thanks: 'After submitting',
  retention_days: 'Retention in days',
  on_erasure: 'Submissions of erased users',
  notify: 'Messages to',
};

/** What a member is without a value. */
export const DEFAULTS: Partial<Record<FormMember, string>> = { time_zone: 'UTC', max_per_minute: '10' };

/** Returns the value of a member that is not `fields`, in words; times in a time zone, which they name. */
export function formatMember(value: FormBody[FormMember], timeZone?: string | null): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return Object.values(value).join(', ') || 'none';
  const isTime = /^\d{4}-\d\d-\d\dT.*Z$/.test(String(value));
  const zone = timeZone ?? DEFAULTS.time_zone!;
  return isTime
    ? `${new Date(value).toLocaleString(pageLanguage, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })} (${zone})`
    : String(value);
}

/** Returns the members that differ. */
export function listChangedMembers(before: FormBody, after: FormBody): FormMember[] {
  const members = Object.keys(after) as FormMember[];
  return members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
}
