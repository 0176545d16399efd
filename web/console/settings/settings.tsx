/** Settings of the service: the findings of its checks, and every setting by subject. */
import { useState } from 'preact/hooks';
import type { Setting, SettingList } from '../../common/api-types.ts';
import { formatCount, formatCounted, LoadState, PageHead } from '../../common/components.tsx';
import { useData } from '../session.ts';
import { createChangeSetting } from './change-setting.ts';
import { Checks } from './checks.tsx';
import { filterSettings, groupSettings } from './setting-groups.ts';
import { SettingTable } from './setting-table.tsx';

export function SettingsPage() {
  const [loaded, again] = useData<SettingList>('/api/v1/admin/settings');
  const settings = loaded.data?.settings;
  const set = settings?.filter(({ source }) => source !== 'default') ?? [];
  return (
    <>
      <PageHead
        title="Settings"
        context={
          <>
            {settings && `${formatCount(set.length)} of ${formatCount(settings.length)} are set.`} A change
            takes effect on every node within five seconds. What the environment sets can only be changed
            there, with a restart.
          </>
        }
      />
      <Checks />
      <LoadState loaded={loaded} what="the settings" retry={again} />
      {settings && <Groups settings={settings} onChanged={again} />}
    </>
  );
}

function Groups({ settings, onChanged }: Readonly<{ settings: readonly Setting[]; onChanged: () => void }>) {
  const [text, setText] = useState('');
  const groups = groupSettings(filterSettings(settings, text));
  const change = createChangeSetting(onChanged);
  return (
    <div class="columns index">
      <div class="stack tight">
        <input
          type="text"
          aria-label="Filter settings"
          placeholder="Filter settings"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setText('')}
        />
        <nav class="nav" aria-label="Groups of settings">
          {groups.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
      </div>
      <div class="stack">
        <p class="visually-hidden" role="status">
          {text && formatCounted(groups.flatMap(({ members }) => members).length, 'setting')}
        </p>
        {groups.map((group) => (
          <SettingTable key={group.id} group={group} change={change} />
        ))}
        {groups.length === 0 && (
          <p class="panel empty">
            No title, name or meaning of a setting contains “{text.trim()}”.
            <button type="button" class="link" onClick={() => setText('')}>
              Show all settings
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
