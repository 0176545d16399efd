/** Settings that only owners may change. */
import { limitVariable } from './limit-table.ts';

/** Settings that could hide an attack or let passwords be guessed: their change needs the scope `admin`. */
const OWNER_SETTINGS: ReadonlySet<string> = new Set([
  'RATE_LIMITS',
  'EVENTS_DAYS',
  'EVENTS_ADDRESS',
  ...(['login', 'login-fail', 'login-account', 'admin-fail'] as const).map(limitVariable),
]);

/** Whether one of these settings may be changed by an owner only. */
export function needsOwner(names: readonly string[]): boolean {
  return names.some((name) => OWNER_SETTINGS.has(name));
}
