/** The rate limits in force. */

import { basePath } from '../../common/api.ts';
import type { Limit, Setting } from '../../common/api-types.ts';
import { LIMIT_MEANINGS, toLimitSetting } from './setting-groups.ts';
import { SettingPanel, SettingRow } from './setting-table.tsx';

interface LimitTableProps {
  readonly limits: readonly Limit[];
  readonly settings: readonly Setting[];
}

export function LimitTable({ limits, settings }: LimitTableProps) {
  const isGiven = (limit: string) =>
    settings.find(({ name }) => name === toLimitSetting(limit))?.source === 'environment';
  return (
    <SettingPanel
      id="limits"
      title="Limits in force"
      note={
        <>
          Requests per network, user or account.{' '}
          <a href={`${basePath}/docs/operations#rate-limits`}>What each limit counts</a>
        </>
      }
    >
      {limits.map((limit) => (
        <SettingRow
          key={limit.name}
          name={limit.name}
          meaning={LIMIT_MEANINGS[limit.name] ?? ''}
          value={formatQuota(limit)}
          isGiven={isGiven(limit.name)}
        />
      ))}
    </SettingPanel>
  );
}

function formatQuota({ quota, window_seconds }: Limit): string {
  return quota === null ? 'no limit' : `${quota} in ${formatWindow(window_seconds ?? 0)}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns `1 hour`, `15 minutes`: in the largest unit that is exact. */
function formatWindow(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? UNITS[3];
  const count = seconds / length;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
