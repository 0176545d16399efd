/** Values of settings in words. */
import type { Setting } from '../../common/api-types.ts';
import { formatCounted, pageLanguage, TIME_UNITS } from '../../common/page-language.ts';

const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  REGISTRATION: { open: 'Anybody may register', closed: 'Nobody may register' },
  USERS_CREATE: { open: 'Anybody', admin: 'Only administrators' },
  EVENTS_ADDRESS: { prefix: 'The network of the address', full: 'The whole address', none: 'Nothing' },
};

/** Returns the meaning of a choice of the setting; the value itself for a choice of a later release. */
export function formatChoice(name: string, value: string): string {
  return CHOICES[name]?.[value] ?? value;
}

export function formatDefault({ name, default: standard }: Setting): string {
  return standard === null ? 'Empty: not set.' : `Default: ${formatChoice(name, standard)}`;
}

/** Returns the value in words, if its text does not say it: `7 in 15 minutes`, `7 days`, `on`. */
export function explainValue({
  name,
  value,
  format,
}: Pick<Setting, 'name' | 'value' | 'format'>): string | null {
  if (value === null || format === null) return null;
  if (value === 'off' && format.can_be_off) return 'no limit';
  switch (format.kind) {
    case 'choice':
      return formatChoice(name, value);
    case 'switch':
      return value === format.choices?.[0] ? 'on' : 'off';
    case 'integer':
      return explainNumber(value, format.unit);
    case 'quota':
      return explainQuota(value);
    default:
      return null;
  }
}

function explainNumber(value: string, unit: string | null): string | null {
  if (unit === null) return null;
  return `${Number(value).toLocaleString(pageLanguage)} ${value === '1' ? unit.replace(/s$/, '') : unit}`;
}

function explainQuota(value: string): string {
  const [requests = '', seconds = ''] = value.split('/');
  return `${requests} in ${formatSeconds(Number(seconds))}`;
}

/** Returns a whole number of the largest unit: `15 minutes`, `90 seconds`, `an hour`. */
export function formatSeconds(seconds: number): string {
  const [unit, length] = TIME_UNITS.find(([, each]) => seconds % each === 0) ?? TIME_UNITS[3];
  return formatCounted(seconds / length, unit);
}
