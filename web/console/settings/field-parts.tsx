/** Shared parts of the fields of settings. */
import type { ApiError } from '../../common/api.ts';
import type { Setting } from '../../common/api-types.ts';
import { formatChoice } from './value-text.ts';

export type Format = NonNullable<Setting['format']>;

export interface ValueFieldProps {
  readonly setting: Setting;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly error: ApiError | null;
}

export interface FormattedFieldProps extends ValueFieldProps {
  readonly format: Format;
}

export function formatDefault({ name, default: standard }: Setting): string {
  return standard === null ? 'Empty: not set.' : `Default: ${formatChoice(name, standard)}`;
}
