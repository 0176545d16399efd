/** Source of a value: the environment wins over the value that an administrator has stored in the database. */
export const SOURCES = ['environment', 'default', 'database'] as const;

/** A setting as the service has read it, without secrets. */
export interface EffectiveSetting {
  readonly name: string;
  /** Value that applies; null if none does, or if all of it is secret. Passwords in URLs are masked. */
  readonly value: string | null;
  readonly source: (typeof SOURCES)[number];
  /** Value that applies if none is set; null if there is none, or if it is secret. */
  readonly default: string | null;
  /** Whether the value is a secret or contains one, which is not shown. */
  readonly is_secret: boolean;
  /** Whether there is a value, also where it is not shown. */
  readonly is_set: boolean;
}
