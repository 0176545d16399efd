/** The route that exports submissions. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { preferredType } from '../../../plugins/problems/negotiation.ts';
import { Problem } from '../../../problems/problem.ts';
import { parseFormId } from '../definitions/definition.ts';
import * as examples from '../form-examples.ts';
import { formIdSchema } from '../form-responses.ts';
import type { FormRouteDeps } from '../form-routes.ts';
import { submissionFilters, toSubmissionFilter } from '../submissions/submission.ts';
import { createExportSubmissions, type SubmissionFormat } from './export-submissions.ts';

const EXPORT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
const schema = { type: 'string' } as const;
const toMedia = (value: string) => ({ schema, examples: { submissions: { value } } });
const flag = { type: 'string', enum: ['0', '1'], default: '0' } as const;

const exportRoute = {
  schema: {
    operationId: 'exportSubmissions',
    tags: ['Forms'],
    summary: 'Export submissions',
    description:
      'Returns the submissions that the same filters of the list have at the start, without a limit, oldest first: as NDJSON with a line like those of the list for each, or as CSV (RFC 4180) with a column for each field of all published versions, removed ones last. Texts of CSV files that a spreadsheet would execute as a formula begin with an apostrophe. A transfer that ends without its last chunk is incomplete. A node runs two exports at a time.',
    params: formIdSchema,
    querystring: {
      type: 'object',
      properties: {
        ...submissionFilters,
        format: { type: 'string', enum: ['ndjson', 'csv'], description: 'Replaces the header `Accept`.' },
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
          'Content-Disposition': { type: 'string', description: 'Name of the file, with the UTC date.' },
        },
        content: {
          [EXPORT_TYPES.ndjson]: toMedia(examples.ndjson),
          [EXPORT_TYPES.csv]: toMedia(examples.csv),
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
    const formId = parseFormId(params.id);
    const type = query.format ?? chooseType(headers.accept);
    const format = { type, isRaw: query.raw === '1', hasBom: query.bom === '1' };
    const stream = await exportSubmissions(toSubmissionFilter(formId, query), format);
    const charset = type === 'csv' ? '; charset=utf-8' : '';
    const name = `submissions-${formId}-${formatTimestamp(deps.clock()).slice(0, 10)}.${type}`;
    reply.header('content-type', `${EXPORT_TYPES[type]}${charset}`);
    reply.header('content-disposition', `attachment; filename="${name}"`);
    return reply.sendStream(stream);
  });
};

/** @throws Problem not_acceptable */
function chooseType(accept: string | undefined): SubmissionFormat['type'] {
  const preferred = preferredType(accept, Object.values(EXPORT_TYPES));
  if (preferred === undefined) throw new Problem('not_acceptable');
  return preferred === EXPORT_TYPES.csv ? 'csv' : 'ndjson';
}
