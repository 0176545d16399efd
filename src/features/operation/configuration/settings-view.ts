/** The settings as the API shows them. */
import { LIMIT_NAMES, type LimitName, type Limits } from '../../../rate-limits/limits.ts';
import { getScopeOfChange } from '../../../settings/limit-table.ts';
import type { LiveSettings } from '../../../settings/live-settings.ts';
import type { EffectiveSetting } from '../../../settings/setting-definition.ts';
import { DEFINITIONS } from '../../../settings/table.ts';

export interface ListedSettings {
  readonly settings: LiveSettings;
  readonly startSettings: readonly EffectiveSetting[];
}

/** Returns all settings with the values that apply now, in the order of the table. */
export function listSettings({ settings, startSettings }: ListedSettings) {
  const changeable = new Map(settings.list().map((setting) => [setting.name, setting]));
  return startSettings.map((setting) => {
    const {
      format = null,
      group,
      title,
      meaning,
      section = 'single-settings',
    } = DEFINITIONS.get(setting.name)!;
    const docs = `/docs/operations#${section}`;
    const shown = changeable.get(setting.name) ?? setting;
    const isChangeable = changeable.has(setting.name);
    const scope = isChangeable ? getScopeOfChange(setting.name) : null;
    return { ...shown, is_changeable: isChangeable, scope, format, group, title, meaning, docs };
  });
}

export function settingsView(deps: ListedSettings) {
  const { limits } = deps.settings.current;
  return { settings: listSettings(deps), limits: LIMIT_NAMES.map((name) => limitView(name, limits)) };
}

function limitView(name: LimitName, limits: Limits) {
  const quota = limits[name];
  return { name, quota: quota?.limit ?? null, window_seconds: quota?.windowSeconds ?? null };
}
