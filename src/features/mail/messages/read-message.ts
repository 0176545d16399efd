/** Reads one message with its text. */
import type { Reader } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import type { Texts } from '../../texts/texts.ts';
import { findUser } from '../../users/records/queries.ts';
import { toMailContent } from '../content/prepare-mail.ts';
import { renderMail } from '../content/render-mail.ts';
import type { ContentSeal, MessageContent } from './content-seal.ts';
import { findEnded, findQueued, type StoredMessage } from './queries.ts';

/** Stands for the token of a link. */
const MASK = '••••';

export interface MessageTextDeps {
  readonly publicUrl: string;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
  /** Decrypts the texts of messages that were logged; null where messages are sent, or the caller may not see them. */
  readonly contents: ContentSeal | null;
}

/** @throws Problem mail_not_found */
export async function findMessage(reader: Reader, id: string, now: number): Promise<StoredMessage> {
  const found = isId(id)
    ? ((await findQueued(reader, { id, now })) ?? (await findEnded(reader, id)))
    : undefined;
  if (found === undefined) throw new Problem('mail_not_found');
  return found;
}

/**
 * Returns the text of a message, in which the token of its link is masked. In the queue, and of one that can be sent
 * again, it is as it would be sent now. Of one that was sent, it is known only where messages are logged, for some time;
 * otherwise null.
 */
export async function renderText(
  reader: Reader,
  deps: MessageTextDeps,
  message: StoredMessage,
): Promise<MessageContent | null> {
  const { id, content, data } = message;
  if (data !== null) return { text: await preview(reader, deps, { ...message, data }), link: null };
  const kept = content === null || deps.contents === null ? null : deps.contents.unseal(id, content);
  return kept && { ...kept, text: maskLink(kept) };
}

function maskLink({ text, link }: MessageContent): string {
  return link === null ? text : text.replaceAll(link, link.replace(/[^/]*$/, MASK));
}

async function preview(
  reader: Reader,
  { publicUrl: baseUrl, settings, texts }: MessageTextDeps,
  mail: StoredMessage & { readonly data: string },
): Promise<string> {
  const user = mail.user_id === null ? undefined : await findUser(reader, mail.user_id);
  const content = toMailContent({ baseUrl, settings }, { mail, user: user ?? null, token: MASK });
  return (await renderMail(texts, content)).text;
}
