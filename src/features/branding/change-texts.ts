/** Stores texts of pages and messages while the service runs, over those of files. */
import { Problem } from '../../problems/problem.ts';
import { type MemberErrors, validationFailed } from '../../problems/validation-failed.ts';
import { NOT_IN_NAMES } from '../../settings/rules.ts';
import { ownTextsName, type SettingTexts } from '../../settings/run-time-settings.ts';
import type { RecordedChange } from '../events/record-event.ts';
import { type ChangeSettingsDeps, storeTexts } from '../operation/configuration/change-settings.ts';
import { findTextFault, listPlaceholders, type Messages } from '../texts/language-file.ts';
import type { Texts } from '../texts/texts.ts';
import type { VersionCheck } from '../users/records/rules.ts';

export interface TextsDeps extends ChangeSettingsDeps {
  readonly texts: Texts;
}

export const MAX_TEXT_LENGTH = 2_000;
/** Events show the beginning of longer texts. */
const MAX_RECORDED_LENGTH = 200;

/** Returns all texts of a language: what applies without the administrator, and their own. @throws Problem not_found */
export async function listTexts({ texts, settings }: TextsDeps, language: string) {
  requireLanguage(texts, language);
  const { merge, readStored, english } = await texts.load();
  const stored = settings.current.ownTexts;
  const defaults = merge(language, omit(stored, language));
  const own = readStored(stored, language);
  const keys = Object.keys(english).filter((key) => key !== 'locale');
  return {
    language,
    languages: texts.languages,
    texts: keys.map((key) => ({
      key,
      default: defaults[key]!,
      own: own[key] ?? null,
      placeholders: listPlaceholders(english[key]!),
    })),
  };
}

const omit = (stored: SettingTexts, language: string) =>
  new Map(Array.from(stored).filter(([name]) => name !== ownTextsName(language)));

/** @throws Problem not_found for a language without texts */
export function requireLanguage({ languages }: Texts, language: string): void {
  if (!languages.includes(language)) throw new Problem('not_found');
}

/**
 * Replaces the administrator's texts of a language; those that are missing are the default again. This process follows at
 * once, others within seconds. @throws Problem not_found, validation_failed, precondition_failed
 */
export async function replaceTexts(
  deps: TextsDeps,
  { language, own, isExpected }: { language: string; own: Messages; isExpected: VersionCheck },
): Promise<void> {
  requireLanguage(deps.texts, language);
  const { english, readStored } = await deps.texts.load();
  checkTexts(own, english);
  const text = Object.keys(own).length === 0 ? null : JSON.stringify(own);
  await storeTexts(deps, isExpected, (before) => ({
    changed: [[ownTextsName(language), text]],
    recorded: listChanges(language, readStored(before, language), own),
  }));
}

/** @throws Problem validation_failed */
function checkTexts(own: Messages, english: Messages): void {
  const faults = Object.entries(own).map(([key, text]) => [key, findFault(key, text, english)] as const);
  const wrong = faults.filter(([, fault]) => fault !== null);
  const errors: MemberErrors = Object.fromEntries(wrong.map(([key, fault]) => [key, [`The text ${fault}.`]]));
  if (wrong.length > 0) throw validationFailed(errors);
}

function findFault(key: string, text: string, english: Messages): string | null {
  if (key === 'locale') return 'cannot be changed here';
  if (text.trim() === '') return 'must not be empty';
  if (text.length > MAX_TEXT_LENGTH) return `must not be longer than ${MAX_TEXT_LENGTH} characters`;
  // Subjects become headers of mail.
  if (!text.isWellFormed() || NOT_IN_NAMES.test(text)) return 'must be one line without control characters';
  const fault = findTextFault(key, text, english);
  // Without its code, a message would be of no use.
  const needsCode = fault === null && listPlaceholders(english[key]!).includes('code');
  return needsCode && !listPlaceholders(text).includes('code') ? 'must contain {code}' : fault;
}

function listChanges(language: string, before: Messages, after: Messages): RecordedChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const shorten = (text: string | undefined) => text?.slice(0, MAX_RECORDED_LENGTH).toWellFormed() ?? null;
  return keys
    .filter((key) => before[key] !== after[key])
    .map((key) => ({
      name: `${ownTextsName(language)}.${key}`,
      from: shorten(before[key]),
      to: shorten(after[key]),
    }));
}
