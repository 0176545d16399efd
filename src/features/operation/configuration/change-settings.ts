/** Changes settings while the service runs. */
import { type AdminScope, hasAdminScope } from '../../../callers/admin-scopes.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import { insufficientScope } from '../../../problems/challenges.ts';
import { catalogue, Problem } from '../../../problems/problem.ts';
import { details, type MemberErrors, validationFailed } from '../../../problems/validation-failed.ts';
import { getScopeOfChange } from '../../../settings/limit-table.ts';
import { findFault, type LiveSettings } from '../../../settings/live-settings.ts';
import { lockVersion, readStoredTexts, writeStoredText, writeVersion } from '../../../settings/queries.ts';
import { describeValue, RUN_TIME_SETTINGS, type SettingTexts } from '../../../settings/run-time-settings.ts';
import { type RecordedChange, recordEvent } from '../../events/record-event.ts';
import { checkVersion, type VersionCheck } from '../../users/records/rules.ts';

export interface ChangeSettingsDeps extends DatabaseDeps {
  readonly settings: LiveSettings;
}

/** Texts by name, as the environment would have them; null resets a setting to its default. */
type SettingChanges = Readonly<Record<string, string | null>>;

interface RequestedChanges {
  readonly changes: SettingChanges;
  readonly scopes: readonly AdminScope[];
  readonly isExpected: VersionCheck;
}

/**
 * Stores all changes or none; this process follows at once, others within seconds. Repeated ones keep the
 * version (RFC 7396). @throws Problem validation_failed, setting_fixed, precondition_failed, insufficient_scope
 */
export async function changeSettings(
  deps: ChangeSettingsDeps,
  { changes, scopes, isExpected }: RequestedChanges,
): Promise<void> {
  const { settings } = deps;
  const texts = toTexts(changes);
  checkRules(texts);
  checkNotFixed(texts, settings.fixed);
  await storeTexts(deps, isExpected, (before) => {
    const changed = texts.filter(([name, text]) => (before.get(name) ?? null) !== text);
    checkScopes(changed, scopes);
    const recorded = changed.map(([name, text]) => ({
      name,
      from: describeStoredValue(settings, name, before.get(name)),
      to: describeStoredValue(settings, name, text ?? undefined),
    }));
    return { changed, recorded };
  });
}

type Change = readonly [name: string, text: string | null];

/**
 * Stores the texts that `change` returns for the stored ones, unless it has nothing to record. This process follows at
 * once, others within seconds. @throws Problem precondition_failed, and what `change` throws
 */
export async function storeTexts(
  { database, clock, settings }: ChangeSettingsDeps,
  isExpected: VersionCheck,
  change: (before: SettingTexts) => {
    readonly changed: readonly Change[];
    readonly recorded: readonly RecordedChange[];
  },
): Promise<void> {
  const stored = await database.transaction(async (tx) => {
    const version = await lockVersion(tx);
    checkVersion({ version }, isExpected);
    const texts = await readStoredTexts(tx);
    const { changed, recorded: changes } = change(texts);
    if (changes.length === 0) return { version, texts };
    for (const [name, text] of changed) {
      await writeStoredText(tx, name, text);
      if (text === null) texts.delete(name);
      else texts.set(name, text);
    }
    await writeVersion(tx, version + 1);
    await recordEvent(tx, { type: 'settings.changed', subject: 'settings', changes, now: clock() });
    return { version: version + 1, texts };
  });
  settings.apply(stored);
}

/** Surrounding white space does not count, and a blank text is none, as in the environment. */
function toTexts(changes: SettingChanges): Change[] {
  return Object.entries(changes).map(([name, text]) => [name, text?.trim() || null]);
}

function checkRules(changes: readonly Change[]): void {
  const errors: Record<string, string[]> = {};
  for (const [name, text] of changes) {
    const fault = text === null ? null : findFault(name, text);
    if (fault !== null) errors[name] = [`${name} ${fault}`];
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
}

function checkScopes(changes: readonly Change[], scopes: readonly AdminScope[]): void {
  const needed = changes
    .map(([name]) => getScopeOfChange(name))
    .find((scope) => !hasAdminScope(scopes, scope));
  if (needed !== undefined) throw insufficientScope([needed], 'admin');
}

/** A value of the environment would hide the change. */
function checkNotFixed(changes: readonly Change[], fixed: SettingTexts): void {
  const names = changes.map(([name]) => name).filter((name) => fixed.has(name));
  if (names.length === 0) return;
  const errors: MemberErrors = Object.fromEntries(
    names.map((name) => [name, [`${name} is fixed by the environment: change or remove it there`]]),
  );
  const text = `${catalogue.setting_fixed.text}: ${names.join(', ')}`;
  throw new Problem('setting_fixed', { text, errors, details: details(errors) });
}

/** Returns the text as events show it, of the default where none is stored. A stored text may be invalid. */
function describeStoredValue({ defaults }: LiveSettings, name: string, stored: string | undefined) {
  if (stored !== undefined) return findFault(name, stored) === null ? describeValue(name, stored) : null;
  return defaults.get(name) ?? RUN_TIME_SETTINGS.get(name)?.fallback ?? null;
}
