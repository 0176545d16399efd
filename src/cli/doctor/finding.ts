/** What a check of the doctor has found. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error';
  /** What is the case and, unless it is fine, what to do. */
  readonly message: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const warning = (check: string, message: string): Finding => ({ check, status: 'warning', message });
export const failure = (check: string, message: string): Finding => ({ check, status: 'error', message });

/** Returns the message of an error on one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}
