/** The pages of forms: to be filled in here, in a frame, or on a page of the operator that sends its answers here. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { formBodies, parseFormValues } from '../../../plugins/bodies/form-bodies.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { Problem } from '../../../problems/problem.ts';
import { type FormValues, REDIRECT_NAME } from '../../forms/answers/page-answers.ts';
import type { PublishedForm, PublishedFormDeps } from '../../forms/definitions/definition.ts';
import { formIdSchema } from '../../forms/form-responses.ts';
import {
  MAX_SUBMISSION_BYTES,
  type ReceiveDeps,
  rejectIfNotOpen,
} from '../../forms/submissions/receive-submission.ts';
import { sendPage } from '../hosted/page.ts';
import { addPageHooks } from '../hosted/page-routes.ts';
import {
  type FormViewDeps,
  getOrigins,
  isFormState,
  openFormPage,
  renderForm,
  renderNotice,
} from './form-page.ts';
import { createPageKeys, type PageKeys, receivePage } from './receive-page.ts';

export interface FormPageDeps extends FormViewDeps, ReceiveDeps, PublishedFormDeps {
  readonly secretKey: string;
}

/** A check box for each of 200 options of 200 fields, and the controls that are no answers. */
const MAX_VALUES = 40_010;

export const formPages: FeaturePlugin<FormPageDeps> = async (app, deps) => {
  const options = { ...deps, keys: createPageKeys(deps.secretKey) };
  addPageHooks(app);
  app.addHook('onRequest', (_request, reply, done) => {
    // The policy of each page names the origins whose frames may show it.
    reply.removeHeader('x-frame-options');
    done();
  });
  await app.register(formBodies, { parser: (body) => parseFormValues(body, MAX_VALUES) });
  await app.register(shownForms, options);
  await app.register(sentForms, options);
};

type RouteDeps = FormPageDeps & { readonly keys: PageKeys };
const schema = { hide: true, params: formIdSchema } as const;

const shownForms: FeaturePlugin<RouteDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createErrorPages(deps));
  const config = { access: 'public', limits: ['documents'], isCompressed: true } as const;
  app.get('/f/:id', { schema, config, errorHandler }, async (request, reply) => {
    const form = await deps.getPublishedForm(request.params.id);
    const page = await openFormPage(deps, request, form);
    try {
      await rejectIfNotOpen(deps, form.row);
    } catch (error) {
      if (!(error instanceof Problem) || !isFormState(error)) throw error;
      return sendPage(reply, { ...renderNotice(page, error, { form, sent: null }), status: 200 });
    }
    const { version } = form;
    const key = { id: newId(), version, sentAt: deps.clock(), mark: '' } as const;
    return sendPage(reply, renderForm(page, form, { writeKey: () => deps.keys.write(form.row.id, key) }));
  });

  app.get('/f/:id/thanks', { schema, config, errorHandler }, async (request, reply) => {
    const form = await deps.getPublishedForm(request.params.id);
    const { texts, toUrl, render } = await openFormPage(deps, request, form);
    const { again } = request.query as Readonly<Record<string, unknown>>;
    const name = again === undefined ? 'thanks' : 'again';
    const own = name === 'thanks' ? readThanks(form).text : undefined;
    const paragraphs = [own ?? texts.text(`form.${name}.text`, { title: form.definition.title })];
    const title = texts.text(`form.${name}.title`);
    const links = [{ href: toUrl(''), label: texts.text('form.another') }];
    return sendPage(reply, render({ tone: 'good', title, paragraphs, links }));
  });
};

const sentForms: FeaturePlugin<RouteDeps> = async (app, deps) => {
  app.post(
    '/f/:id',
    {
      schema,
      config: { access: 'public', limits: ['submission'], checksOrigin: true },
      bodyLimit: 3 * MAX_SUBMISSION_BYTES,
      errorHandler: app.createPageErrorHandler(createErrorPages(deps)),
    },
    async (request, reply) => {
      const form = await deps.getPublishedForm(request.params.id);
      rejectOtherOrigins(form, request.headers, deps.publicUrl);
      const page = await openFormPage(deps, request, form);
      const values = (request.body ?? new Map()) as FormValues;
      const { key: text } = request.query as Readonly<Record<string, unknown>>;
      const key = text === undefined ? undefined : deps.keys.read(form.row.id, String(text));
      try {
        const hasDecimalComma = page.texts.number(0.5).includes(',');
        const sent = { values, key, clientIp: request.clientIp, hasDecimalComma };
        const outcome = await receivePage(deps, form, sent);
        const next = outcome === 'stored' ? findNextUrl(form, values) : null;
        const thanks = () => page.toUrl('/thanks', outcome === 'stored' ? {} : { again: '1' });
        // The script of a frame learns that the page of thanks follows the form.
        return reply
          .code(303)
          .headers({ location: next ?? thanks(), 'referrer-policy': 'same-origin' })
          .send();
      } catch (problem) {
        const { id = newId(), sentAt = deps.clock(), mark = 'c' } = key ?? {};
        const writeKey = () => {
          deps.keys.noteCorrection(id);
          return deps.keys.write(form.row.id, { id, version: form.version, sentAt, mark });
        };
        return sendPage(reply, renderForm(page, form, { writeKey, values, problem }));
      }
    },
  );
};

function readThanks({ row }: PublishedForm): { readonly text?: string; readonly url?: string } {
  return row.thanks === null ? {} : JSON.parse(row.thanks);
}

/** @throws Problem cross_site_request for a page of an origin that the form does not allow */
function rejectOtherOrigins(
  form: PublishedForm,
  { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  publicUrl: string,
): void {
  // Programs send neither header.
  if (site === 'same-origin' || (site === undefined && origin === undefined)) return;
  const ownHost = publicUrl === '' ? host : new URL(publicUrl).host;
  if (origin === undefined || (!getOrigins(form).includes(origin) && URL.parse(origin)?.host !== ownHost))
    throw new Problem('cross_site_request');
}

/** Returns the URL that the page or the form names; null for the page of this service. */
function findNextUrl(form: PublishedForm, values: FormValues): string | null {
  const isAnswer = form.definition.fields.some(({ label }) => label === REDIRECT_NAME);
  const given = isAnswer ? null : URL.parse(values.get(REDIRECT_NAME)?.[0] ?? '');
  if (given !== null && getOrigins(form).includes(given.origin)) return given.href;
  const { url } = readThanks(form);
  return url === undefined ? null : new URL(url).href;
}

function createErrorPages(deps: RouteDeps): RenderProblem {
  return async (problem, request: FastifyRequest) => {
    const { id } = request.params as { readonly id: string };
    const form = await deps.getPublishedForm(id).catch(() => null);
    const page = await openFormPage(deps, request, form);
    const { key } = request.query as Readonly<Record<string, unknown>>;
    const sent = request.method !== 'POST' ? null : key === undefined ? 'once' : 'repeatable';
    return renderNotice(page, problem, { form, sent });
  };
}
