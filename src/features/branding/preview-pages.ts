/** Renders the pages for users with a name, logo, colour and texts that are not stored yet. */
import { newId } from '../../lib/secrets/ids.ts';
import { findFault } from '../../settings/live-settings.ts';
import { parseLogo } from '../../settings/rules.ts';
import { type CurrentSettings, ownTextsName, type SettingTexts } from '../../settings/run-time-settings.ts';
import type { PublishedForm } from '../forms/definitions/definition.ts';
import { renderMail } from '../mail/content/render-mail.ts';
import { LINK_PATHS } from '../mail/links/links.ts';
import type { LinkKind } from '../mail/links/queries.ts';
import { MAIL_KINDS, type MailKind } from '../mail/queries.ts';
import { openFormPage, renderForm } from '../pages/forms/form-page.ts';
import { openPage, type PageRequest } from '../pages/hosted/page.ts';
import { toPasswordPage } from '../pages/links/password-page.ts';
import { accountView } from '../sign-in/pages/account-view.ts';
import type { HostedPageDeps } from '../sign-in/pages/hosted-pages.ts';
import type { OwnSession } from '../sign-in/pages/profile-section.ts';
import { signInView } from '../sign-in/pages/sign-in-pages.ts';
import { signUpView } from '../sign-in/pages/sign-up-pages.ts';
import type { Messages } from '../texts/language-file.ts';

export const PREVIEW_PAGES = ['sign_in', 'sign_up', 'set_password', 'account', 'form', 'mail'] as const;
export { MAIL_KINDS };

export interface Preview {
  readonly page: (typeof PREVIEW_PAGES)[number];
  /** The kind of message that the page `mail` shows. */
  readonly message?: MailKind;
  readonly language: string;
  /** Texts of settings; null for none. Those that break their rule are ignored. */
  readonly settings?: { readonly [name in BrandSetting]?: string | null };
  readonly texts?: Messages;
}

export const BRAND_SETTINGS = ['INSTANCE_NAME', 'INSTANCE_LOGO', 'BRAND_COLOR'] as const;
type BrandSetting = (typeof BRAND_SETTINGS)[number];

/** Returns the HTML of the page; `host`: where the administrator is, which may have passkeys. */
export async function renderPreview(given: HostedPageDeps, preview: Preview, host: string | undefined) {
  const current = applyPreview(given.settings.current, preview);
  const settings = { ...given.settings, current };
  const deps = { ...given, settings, texts: given.texts.withOwn(settings) };
  const { page, language, message = 'verify_email' } = preview;
  if (page === 'mail') return renderMessage(deps, message, language);
  const request = { method: 'GET', headers: { host }, query: { lang: language }, body: undefined };
  return (await renderPage(deps, page, request)).body;
}

async function renderPage(
  deps: HostedPageDeps,
  page: Exclude<Preview['page'], 'mail'>,
  request: PageRequest,
) {
  if (page === 'form') {
    const form = { row: { id: newId(), allowed_origins: '[]' }, definition: SAMPLE_FORM } as const;
    const published = form as unknown as PublishedForm;
    return renderForm(await openFormPage(deps, request, published), published, { writeKey: () => '' });
  }
  const context = await openPage(deps, request);
  if (page === 'set_password')
    return context.render(toPasswordPage(context, 'reset_password', { username: 'ada@example.com' }));
  if (page === 'sign_in') return context.render(await signInView(deps, context, { request }));
  if (page === 'sign_up') return context.render(signUpView(deps, context));
  return context.render(await accountView(deps, context, sampleSession(deps.clock())));
}

function applyPreview(current: CurrentSettings, { settings = {}, texts, language }: Preview) {
  const get = (name: BrandSetting): string | null | undefined => {
    const text = settings[name];
    return text == null || findFault(name, text) === null ? text : undefined;
  };
  const [logo, brandColor] = [get('INSTANCE_LOGO'), get('BRAND_COLOR')];
  const own: SettingTexts = new Map([[ownTextsName(language), JSON.stringify(texts)]]);
  return {
    ...current,
    instanceName: get('INSTANCE_NAME') ?? current.instanceName,
    logo: logo == null ? (logo === null ? null : current.logo) : parseLogo(logo),
    brandColor: brandColor === undefined ? current.brandColor : brandColor,
    ownTexts: texts === undefined ? current.ownTexts : new Map([...current.ownTexts, ...own]),
  };
}

const SAMPLE_FORM = {
  title: 'Workshop',
  description: null,
  fields: [
    { label: 'name', title: 'Name', type: 'text', is_required: true, max_length: 100 },
    { label: 'day', title: 'Day', type: 'text', is_required: false, options: ['Monday', 'Friday'] },
  ],
} as const;

/** A person that does not exist: nothing is found for the id. */
function sampleSession(now: number): OwnSession {
  const id = newId();
  const times = { authenticatedAt: now, createdAt: now, lastUsedAt: now, expiresAt: now };
  const user = { id, name: 'Ada Lovelace', email: 'ada@example.com', email_verified_at: now };
  const empty = { role: null, totp_enabled_at: null, level: null, locale: null, zoneinfo: null };
  return { id, userId: id, amr: ['pwd'], ...times, user: { ...user, ...empty } as OwnSession['user'] };
}

async function renderMessage(
  { settings, texts, publicUrl, clock }: HostedPageDeps,
  kind: MailKind,
  language: string,
): Promise<string> {
  const path = (LINK_PATHS as Partial<Record<MailKind, string>>)[kind as LinkKind];
  const { html } = await renderMail(texts, {
    ...{ kind, locale: null, language, name: 'Ada Lovelace', at: clock(), newEmail: 'ada@example.com' },
    service: settings.current.instanceName,
    brandColor: settings.current.brandColor,
    link: path === undefined ? null : `${publicUrl || 'https://accounts.example.com'}${path}…`,
    values: { code: '123456', provider: 'Example', form: 'Workshop', url: 'https://example.com', days: '30' },
  });
  // As data, because the policy of the console forbids a style in the page: preview-frame.ts applies it.
  return html.replaceAll(/<style[^>]*>(.*?)<\/style>/gis, '<script type="text/css">$1</script>');
}
