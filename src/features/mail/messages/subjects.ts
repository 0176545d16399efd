/** Subjects of messages in lists. Which language a message was sent in is not kept after it has ended. */
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { FALLBACK_LANGUAGE } from '../../texts/language-texts.ts';
import type { Texts } from '../../texts/texts.ts';
import { formatSubject } from '../content/render-mail.ts';
import type { FormatSubject } from './message-responses.ts';

export interface SubjectDeps {
  readonly texts: Texts;
  readonly settings: CurrentSettingsSource;
}

/** Returns the function that formats subjects in English. */
export async function createSubjectFormat({ texts, settings }: SubjectDeps): Promise<FormatSubject> {
  const english = await texts.get(FALLBACK_LANGUAGE);
  const { instanceName } = settings.current;
  return (kind) => formatSubject(english, kind, instanceName);
}
