/** Receives a form that a page has sent, and stores what one page sends once. */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../../../lib/max-entries.ts';

import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import { Problem } from '../../../problems/problem.ts';
import { checkAnswers } from '../../forms/answers/check-answers.ts';
import { DECOY_NAME, type FormValues, readPageAnswers } from '../../forms/answers/page-answers.ts';
import type { PublishedForm } from '../../forms/definitions/definition.ts';
import { findSubmission } from '../../forms/submissions/queries.ts';
import {
  MAX_SUBMISSION_BYTES,
  prepareSubmission,
  type ReceiveDeps,
} from '../../forms/submissions/receive-submission.ts';

/** Nobody fills in a form faster. */
const MIN_FILL_MS = 2_000;

/**
 * Returns whether the answers are stored, now or by the first press, or others were before. key: undefined for pages of others, null if it was not
 * written by this service.
 * @throws Problem form_state_conflict if the page shows another version, and those of `prepareSubmission`
 */
export async function receivePage(
  deps: ReceiveDeps,
  form: PublishedForm,
  sent: {
    readonly values: FormValues;
    readonly key: ReadKey | null | undefined;
    readonly clientIp: string;
    /** That of the language of the page. */
    readonly hasDecimalComma: boolean;
  },
): Promise<'stored' | 'repeated'> {
  const { values, key, clientIp, hasDecimalComma } = sent;
  try {
    if (key !== undefined && key?.version !== form.version) throw new Problem('form_state_conflict');
    const isKept = key !== undefined && deps.clock() - key.sentAt >= MIN_FILL_MS;
    const isFast = key !== undefined && !isKept && !key.isCorrection;
    const hasDecoy = values.get(DECOY_NAME)?.some((value) => value !== '') ?? false;
    const answers = limitSize(readPageAnswers(form.definition.fields, values, hasDecimalComma));
    const store = await prepareSubmission(deps, {
      ...{ form, answers, clientIp, caller: { kind: 'anonymous' }, isKept },
      suspicion: hasDecoy ? 'decoy' : isFast ? 'too_fast' : null,
      ...(key === undefined ? {} : { id: key.id }),
    });
    await deps.database.transaction(store);
    return 'stored';
  } catch (error) {
    // Whatever has failed: the page was sent before.
    const stored = key && (await findSubmission(deps.database, form.row.id, key.id));
    if (!stored) throw error;
    const { fields } = form.definition;
    const { answers } = checkAnswers(fields, readPageAnswers(fields, values, hasDecimalComma));
    return isDeepStrictEqual(JSON.parse(stored.answers), Object.fromEntries(answers)) ? 'stored' : 'repeated';
  }
}

/** Encoded by a form, a text takes up to three times as many bytes. @throws Problem payload_too_large */
function limitSize(answers: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  if (Buffer.byteLength(JSON.stringify([...answers])) > MAX_SUBMISSION_BYTES)
    throw new Problem('payload_too_large');
  return answers;
}

export interface PageKey {
  readonly id: string;
  readonly version: number;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** `c` for the corrections of a page of others, which has no key. */
  readonly mark: '' | 'c';
}

type ReadKey = PageKey & { readonly isCorrection: boolean };

export function createPageKeys(secretKey: string) {
  const hash = createKeyedHash(secretKey, 'form-pages');
  /** Ids of pages that this node has shown again: they keep their URL, and after Back, the first one is corrected. */
  const corrected = new LRUCache<string, true>(maxEntries(10_000));
  return {
    write(formId: string, { id, version, sentAt, mark }: PageKey): string {
      const content = `${id}.${version}.${sentAt}${mark}`;
      return `${content}.${hash(`${formId}.${content}`)}`;
    },
    /** Notes that a page is shown again, with errors: people send it again at once. */
    noteCorrection: (id: string) => void corrected.set(id, true),
    /** Returns null for a key that this service has not written for the form. */
    read(formId: string, text: string): ReadKey | null {
      const [, content, id, version, sentAt, mark, mac] =
        /^(([\w-]+)\.(\d+)\.(\d+)(c?))\.([\w-]+)$/.exec(text) ?? [];
      if (id === undefined || hash(`${formId}.${content}`) !== mac) return null;
      const isCorrection = mark === 'c' || corrected.has(id);
      const key = { id, version: Number(version), sentAt: Number(sentAt) };
      return { ...key, mark: mark as PageKey['mark'], isCorrection };
    },
  };
}

export type PageKeys = ReturnType<typeof createPageKeys>;
