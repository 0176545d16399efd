/** Settings that only owners may change. */
import { limitVariable } from './limit-table.ts';

/** Settings that could hide an attack or let passwords be guessed: their change needs the scope `admin`. */
const OWNER_SETTINGS: ReadonlySet<string> = new Set([
  'RATE_LIMITS',
  'EVENTS_DAYS',
  'EVENTS_ADDRESS',
  ...(['login', 'login-fail', 'login-account', 'admin-fail'] as const).map(limitVariable),
]);

/** Returns the scope that a change of the setting needs. */
export function getScopeOfChange(name: string): 'admin' | 'settings:write' {
  return OWNER_SETTINGS.has(name) ? 'admin' : 'settings:write';
}
