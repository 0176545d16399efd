/** The settings of one group. Those that differ from the default stand out. */

import type { ComponentChildren } from 'preact';
import type { Setting } from '../../common/api-types.ts';
import type { SettingGroup } from './setting-groups.ts';

interface SettingTableProps {
  readonly group: SettingGroup;
  readonly settings: readonly Setting[];
}

export function SettingTable({ group, settings }: SettingTableProps) {
  return (
    <SettingPanel id={group.id} title={group.title}>
      {settings.map((setting) => (
        <SettingRow
          key={setting.name}
          name={setting.name}
          meaning={group.meanings[setting.name] ?? ''}
          value={<Value {...setting} />}
          isGiven={setting.source === 'environment'}
        />
      ))}
    </SettingPanel>
  );
}

interface SettingPanelProps {
  readonly id: string;
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function SettingPanel({ id, title, note, children }: SettingPanelProps) {
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {note && <p class="context">{note}</p>}
      </header>
      <table class="settings cards" aria-labelledby={`${id}-title`}>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

interface SettingRowProps {
  readonly name: string;
  readonly meaning: string;
  readonly value: ComponentChildren;
  /** Whether the environment has set it. */
  readonly isGiven: boolean;
}

export function SettingRow({ name, meaning, value, isGiven }: SettingRowProps) {
  return (
    <tr class={isGiven ? 'given' : undefined}>
      <th scope="row">
        <code>{name}</code>
        {meaning && <small class="hint">{meaning}</small>}
      </th>
      <td class="value">{value}</td>
      <td class="from">
        {isGiven ? <span class="badge note">environment</span> : <span class="muted">default</span>}
      </td>
    </tr>
  );
}

function Value({ value, is_secret, is_set }: Setting) {
  if (value !== null) return <code>{value}</code>;
  return <span class="muted">{is_secret && is_set ? 'set, secret' : 'not set'}</span>;
}
