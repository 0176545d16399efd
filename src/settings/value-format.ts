/** Which values a setting can have, for forms. The rules decide; these say the same in advance. */

export const VALUE_KINDS = ['text', 'url', 'image', 'choice', 'switch', 'integer', 'quota'] as const;

export interface ValueFormat {
  readonly kind: (typeof VALUE_KINDS)[number];
  /** Texts of a choice; of a switch, the text for on and that for off. */
  readonly choices: readonly string[] | null;
  /** Least value of an integer, or of both numbers of a quota. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** What an integer counts. */
  readonly unit: 'days' | 'records' | null;
  /** Whether `off` is a value too: no limit. */
  readonly can_be_off: boolean;
}

/** Returns a format of which other members do not apply. */
export function format(kind: ValueFormat['kind'], members: Partial<ValueFormat> = {}): ValueFormat {
  return { kind, choices: null, minimum: null, maximum: null, unit: null, can_be_off: false, ...members };
}
