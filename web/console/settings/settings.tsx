/** Settings of the service: the findings of its checks, the effective configuration and the limits. */
import { basePath } from '../../common/api.ts';
import type { Configuration, Limit, Setting } from '../../common/api-types.ts';
import { Failure, Loading, ScrollArea, ViewHeading } from '../../common/components.tsx';
import { useView } from '../session.ts';
import { Checks } from './checks.tsx';

export function Settings() {
  const [loaded, retry] = useView<{ data: Configuration }>('/api/v1/admin/settings');
  const configuration = loaded.data?.data;
  return (
    <>
      <ViewHeading title="Settings">Settings</ViewHeading>
      <p class="muted">Environment variables of the node that responds. They change with a restart.</p>
      <Checks />
      {loaded.state === 'failed' && (
        <Failure what="The settings could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && !configuration && <Loading what="the settings" />}
      {configuration && <SettingTable settings={configuration.settings} />}
      {configuration && <LimitTable limits={configuration.limits} />}
    </>
  );
}

function SettingTable({ settings }: { readonly settings: readonly Setting[] }) {
  return (
    <section aria-labelledby="all-settings">
      <h2 id="all-settings">Effective settings</h2>
      <ScrollArea label="Table of settings">
        <table class="settings">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {settings.map((setting) => (
              <tr key={setting.name} class={setting.source === 'environment' ? 'given' : undefined}>
                <th scope="row">
                  <code>{setting.name}</code>
                </th>
                <td>
                  <Value {...setting} />
                </td>
                <td>
                  {setting.source === 'environment' ? 'environment' : <span class="muted">default</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}

function Value({ value, is_secret, is_set }: Setting) {
  if (value !== null) return <code>{value}</code>;
  return <span class="muted">{is_secret && is_set ? 'set, secret' : 'not set'}</span>;
}

function LimitTable({ limits }: { readonly limits: readonly Limit[] }) {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits in force</h2>
      <p class="muted">
        Requests per network, user or account.{' '}
        <a href={`${basePath}/docs/operations#rate-limits`}>What each limit counts</a>
      </p>
      <ScrollArea label="Table of limits">
        <table class="settings">
          <thead>
            <tr>
              <th scope="col">Limit</th>
              <th scope="col">Quota</th>
            </tr>
          </thead>
          <tbody>
            {limits.map(({ name, quota, window_seconds }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{quota === null ? 'no limit' : `${quota} in ${windowText(window_seconds ?? 0)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns `1 hour`, `15 minutes`: in the largest unit that is exact. */
function windowText(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? UNITS[3];
  const count = seconds / length;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
