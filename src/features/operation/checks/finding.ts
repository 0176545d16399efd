/** `skipped`: the check is not made here. */
export const STATUSES = ['ok', 'warning', 'error', 'skipped'] as const;

export interface Finding {
  readonly check: string;
  readonly status: (typeof STATUSES)[number];
  /** Description of the state and, unless it is fine, of the remedy. */
  readonly message: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const warning = (check: string, message: string): Finding => ({ check, status: 'warning', message });
export const skipped = (check: string, message: string): Finding => ({ check, status: 'skipped', message });
export const failure = (check: string, message: string): Finding => ({ check, status: 'error', message });

/** Advice for a schema of an older release. */
export const MIGRATE = 'run "npm run cli -- migrate", or start the service';

/** Returns the message of an error on one line. */
export function getReason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}
