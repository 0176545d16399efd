/** The settings of one group. Those that differ from the default stand out. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import type { Setting } from '../../common/api-types.ts';
import { Button, Panel } from '../../common/components.tsx';
import { instanceLogo } from '../../common/instance.ts';
import { may } from '../session.ts';
import type { ChangeSetting } from './change-setting.ts';
import { SettingForm } from './setting-form.tsx';
import type { GroupedSettings } from './setting-groups.ts';
import { explainValue, formatChoice } from './value-text.ts';

interface SettingTableProps {
  readonly group: GroupedSettings;
  readonly change: ChangeSetting;
}

export function SettingTable({ group: { id, title, members }, change }: SettingTableProps) {
  return (
    <Panel title={title} id={id}>
      <table class="settings cards" aria-labelledby={id}>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {members.map((setting) => (
            <SettingRow key={setting.name} setting={setting} change={change} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function SettingRow({ setting, change }: { readonly setting: Setting; readonly change: ChangeSetting }) {
  const { name, title, meaning, docs, value } = setting;
  const [isEdited, setIsEdited] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const edit = (isOpen: boolean) => {
    setIsEdited(isOpen);
    setWasEdited(!isOpen);
  };
  const isDifferent = setting.source !== 'default' && (setting.is_secret || value !== setting.default);
  return (
    <tr class={isDifferent ? 'given' : undefined}>
      <th scope="row" class="main-cell">
        {title} <code class="muted">{name}</code>
        <small class="hint">
          {meaning}{' '}
          <a href={basePath + docs} aria-label={`Details of ${title}`}>
            Details
          </a>
        </small>
      </th>
      <td>
        {isEdited ? (
          <SettingForm setting={setting} change={change} onClose={() => edit(false)} />
        ) : (
          <Shown setting={setting} takesFocus={wasEdited} onEdit={() => edit(true)} />
        )}
        {!isEdited && <Note setting={setting} isDifferent={isDifferent} />}
      </td>
      <td class="state-cell num">
        <Source {...setting} />
      </td>
    </tr>
  );
}

/** Default of a setting, and who may change it. */
function Note({ setting, isDifferent }: { readonly setting: Setting; readonly isDifferent: boolean }) {
  const { name, source, default: standard, scope } = setting;
  const isFixed = source === 'environment';
  const needsOwner = !isFixed && scope === 'admin' && !may(scope);
  if (!isDifferent && !needsOwner) return null;
  return (
    <small class="hint">
      {isDifferent && standard !== null && `Default: ${formatChoice(name, standard)}. `}
      {needsOwner && 'Only owners change it.'}
    </small>
  );
}

interface ShownProps {
  readonly setting: Setting;
  /** Whether it replaces the form, which had the focus. */
  readonly takesFocus: boolean;
  readonly onEdit: () => void;
}

function Shown({ setting, takesFocus, onEdit }: ShownProps) {
  const { name, title, source, scope } = setting;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <span class="row">
      {name === 'INSTANCE_LOGO' && instanceLogo.value !== null && (
        <img class="logo" src={instanceLogo.value} alt="" />
      )}
      <Value {...setting} />
      {scope !== null && source !== 'environment' && may(scope) && (
        <Button text="Change" class="compact" ref={button} aria-label={`Change ${title}`} onClick={onEdit} />
      )}
    </span>
  );
}

function Source({ source, is_changeable }: Setting) {
  if (source === 'database') return <span class="badge note">changed</span>;
  if (source === 'default') return <span class="visually-hidden">default</span>;
  return (
    <span class="badge note" title={is_changeable ? 'Fixed by the environment' : undefined}>
      {is_changeable ? 'fixed by environment' : 'environment'}
    </span>
  );
}

function Value(setting: Setting) {
  const { value, is_secret, is_set } = setting;
  const meaning = explainValue(setting);
  if (value !== null && (meaning === null || meaning === value)) return <code>{value}</code>;
  if (value !== null)
    return (
      <>
        <span>{meaning}</span> {!meaning!.startsWith(value) && <code class="muted">{value}</code>}
      </>
    );
  return <span class="muted">{is_secret && is_set ? 'set, secret' : 'not set'}</span>;
}
