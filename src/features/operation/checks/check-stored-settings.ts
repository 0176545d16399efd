/** Reports settings in the database that are ignored: edited by hand, or stored by another release. */
import type { IgnoredValue } from '../../../settings/live-settings.ts';
import { type Finding, warning } from './finding.ts';

export function checkStoredSettings(ignored: readonly IgnoredValue[]): Finding[] {
  return ignored.map(({ name, reason }) =>
    warning(
      'settings',
      `The value of ${name} in the database is ignored: ${name} ${reason}; set it again, or run "npm run cli -- settings unset ${name}"`,
    ),
  );
}
