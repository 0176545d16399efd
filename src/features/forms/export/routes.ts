/** The route that exports submissions. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { XLSX_TYPE } from '../../../lib/spreadsheets/workbook.ts';
import { normalizeShortNfkd } from '../../../lib/text/normalize.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { preferredType } from '../../../plugins/problems/negotiation.ts';
import { Problem } from '../../../problems/problem.ts';
import { getForm } from '../definitions/definition.ts';
import * as examples from '../form-examples.ts';
import { formIdSchema } from '../form-responses.ts';
import type { FormRouteDeps } from '../form-routes.ts';
import { submissionFilters, toSubmissionFilter } from '../submissions/submission.ts';
import { createExportSubmissions, type SubmissionFormat } from './export-submissions.ts';

const EXPORT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv', xlsx: XLSX_TYPE } as const;
const TYPES = Object.keys(EXPORT_TYPES) as (keyof typeof EXPORT_TYPES)[];
const schema = { type: 'string' } as const;
const toMedia = (value: string) => ({ schema, examples: { submissions: { value } } });
const flag = { type: 'string', enum: ['0', '1'], default: '0' } as const;

const exportRoute = {
  schema: {
    operationId: 'exportSubmissions',
    tags: ['Forms'],
    summary: 'Export submissions',
    description:
      'Returns the submissions that the same filters of the list have at the start, without a limit, oldest first: as NDJSON with a line like those of the list for each, as CSV (RFC 4180) with a column for each field of all published versions, removed ones last, or as a spreadsheet (.xlsx) with a column for each option of a field with several answers, and titles above the labels. Texts of CSV files that a spreadsheet would execute as a formula begin with an apostrophe. A transfer that ends without its last chunk is incomplete. A node runs two exports at a time.',
    params: formIdSchema,
    querystring: {
      type: 'object',
      properties: {
        ...submissionFilters,
        format: { type: 'string', enum: TYPES, description: 'Replaces the header `Accept`.' },
        raw: {
          ...flag,
          description:
            'With 1, texts of CSV files that a spreadsheet would execute as a formula stay as they are.',
        },
        bom: { ...flag, description: 'With 1, CSV files begin with a byte order mark, for Excel.' },
      },
    },
    response: {
      200: {
        description: 'The submissions.',
        headers: {
          'Content-Disposition': {
            type: 'string',
            description: 'Name of the file: the title of the form and the UTC date (RFC 6266).',
          },
        },
        content: {
          [EXPORT_TYPES.ndjson]: toMedia(examples.ndjson),
          [EXPORT_TYPES.csv]: toMedia(examples.csv),
          [EXPORT_TYPES.xlsx]: { schema: { type: 'string', format: 'binary' } },
        },
      },
    },
  },
  config: {
    access: 'admin',
    scope: 'submissions:read',
    recentSignIn: 'always',
    isRecorded: true,
    problems: ['form_not_found', 'invalid_filter', 'not_acceptable'],
  },
} as const;

export const submissionExport: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  const exportSubmissions = createExportSubmissions(deps);
  app.get('/api/v1/forms/:id/submissions/export', exportRoute, async ({ params, query, headers }, reply) => {
    const form = await getForm(deps.database, params.id);
    const type = query.format ?? chooseType(headers.accept);
    const format = { type, isRaw: query.raw === '1', hasBom: query.bom === '1' };
    const stream = await exportSubmissions(toSubmissionFilter(form.id, query), format);
    const charset = type === 'csv' ? '; charset=utf-8' : '';
    const date = formatTimestamp(deps.clock()).slice(0, 10);
    const name = `${toFileName(form.title, 'submissions')} ${date}.${type}`;
    reply.header('content-type', `${EXPORT_TYPES[type]}${charset}`);
    reply.header('content-disposition', formatAttachment(name));
    return reply.sendStream(stream);
  });
};

/** @throws Problem not_acceptable */
function chooseType(accept: string | undefined): SubmissionFormat['type'] {
  const preferred = preferredType(accept, Object.values(EXPORT_TYPES));
  const chosen = TYPES.find((type) => EXPORT_TYPES[type] === preferred);
  if (chosen === undefined) throw new Problem('not_acceptable');
  return chosen;
}

/** A name of a file, with the text before the date of the export, may have 255 bytes. */
const MAX_LENGTH = 50;
/** Characters that no name may have on Windows, and invisible ones, which could hide the ending. */
const UNSAFE = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]+/gu;

/** Returns a title as the part of a name of a file; `fallback` if it has no visible character. */
export function toFileName(title: string, fallback: string): string {
  const text = [...title.replaceAll(UNSAFE, ' ')].slice(0, MAX_LENGTH).join('');
  // A name that begins with a dot is hidden.
  return (
    text
      .replaceAll(/\s+/g, ' ')
      .replace(/^[\s.]+/, '')
      .trimEnd() || fallback
  );
}

/**
 * Returns the value of Content-Disposition (RFC 6266): the name in ASCII for programs that know no other, and encoded
 * (RFC 8187) if it differs.
 */
export function formatAttachment(name: string): string {
  const letters = normalizeShortNfkd(name).replaceAll(/\p{M}/gu, '');
  const ascii = letters.replaceAll(/[^ -~]|[\\/:*?"<>|%]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encode(name)}`;
}

/** `encodeURIComponent` leaves characters that are no attr-char. */
function encode(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
