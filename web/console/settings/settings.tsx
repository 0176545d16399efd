/** Settings of the service: the findings of its checks, the effective configuration and the limits. */
import type { Configuration, Limit, Setting } from '../../common/api-types.ts';
import './settings.css';
import { Failure, formatCount, Loading, ViewHeading } from '../../common/components.tsx';
import { useView } from '../session.ts';
import { Checks } from './checks.tsx';
import { LimitTable } from './limit-table.tsx';
import { OTHER_SETTINGS, SETTING_GROUPS, type SettingGroup, toLimitSetting } from './setting-groups.ts';
import { SettingTable } from './setting-table.tsx';

export function Settings() {
  const [loaded, retry] = useView<{ data: Configuration }>('/api/v1/admin/settings');
  const configuration = loaded.data?.data;
  return (
    <>
      <div>
        <ViewHeading title="Settings">Settings</ViewHeading>
        <p class="context">
          Environment variables of the node that responds. They change with a restart.
          {configuration && ` ${describeGiven(configuration.settings)}`}
        </p>
      </div>
      <Checks />
      {loaded.state === 'failed' && (
        <Failure what="The settings could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && !configuration && <Loading what="the settings" />}
      {configuration && <Groups {...configuration} />}
    </>
  );
}

function describeGiven(settings: readonly Setting[]): string {
  const given = settings.filter(({ source }) => source === 'environment').length;
  return `${formatCount(given)} of ${formatCount(settings.length)} are set.`;
}

function Groups({ settings, limits }: Configuration) {
  const groups = groupSettings(settings, limits);
  return (
    <div class="with-index">
      <nav class="nav index" aria-label="Groups of settings">
        {groups.map(({ group }) => (
          <a key={group.id} href={`#${group.id}`}>
            {group.title}
          </a>
        ))}
        <a href="#limits">Limits in force</a>
      </nav>
      <div class="stack">
        {groups.map(({ group, members }) => (
          <SettingTable key={group.id} group={group} settings={members} />
        ))}
        <LimitTable limits={limits} settings={settings} />
      </div>
    </div>
  );
}

interface GroupedSettings {
  readonly group: SettingGroup;
  readonly members: readonly Setting[];
}

/** Returns the groups that have members. The settings of limits are shown with the limits. */
function groupSettings(settings: readonly Setting[], limits: readonly Limit[]): readonly GroupedSettings[] {
  const ofLimits = new Set(limits.map(({ name }) => toLimitSetting(name)));
  const left = settings.filter(({ name }) => !ofLimits.has(name));
  const isIn = (group: SettingGroup, { name }: Setting) => Object.hasOwn(group.meanings, name);
  const known = SETTING_GROUPS.map((group) => ({
    group,
    members: left.filter((setting) => isIn(group, setting)),
  }));
  const others = left.filter((setting) => !SETTING_GROUPS.some((group) => isIn(group, setting)));
  return [...known, { group: OTHER_SETTINGS, members: others }].filter(({ members }) => members.length > 0);
}
