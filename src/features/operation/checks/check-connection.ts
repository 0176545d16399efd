/** Checks the connection to the database, and the clock of this machine against that of the database. */
import { isExposed } from '../../../database/open.ts';
import { type Finding, ok, warning } from './finding.ts';

export function checkTls(settings: { readonly databaseUrl: string | null }): Finding[] {
  if (!isExposed(settings)) return [];
  return [warning('database', 'the connection leaves this machine without TLS: add sslmode=verify-full')];
}

/** `skewMs`: by how much the clock of this machine is ahead, 0 for a difference that does not matter. */
export function checkClock(skewMs: number): Finding {
  if (skewMs === 0) return ok('clock', 'The clock agrees with that of the database');
  const seconds = Math.round(skewMs / 1000);
  return warning(
    'clock',
    `The clock differs by ${seconds} s from that of the database: synchronise both (NTP)`,
  );
}
