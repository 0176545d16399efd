/** What the page of a question shows. */
import type { MemberErrors } from '../../../problems/validation-failed.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';
import type { PendingRow } from '../upstream/queries.ts';
import { type IdentityPage, type ProviderPageDeps, QUESTION_PATH, toSignIn } from './outcome-pages.ts';

interface Shown {
  readonly texts: LanguageTexts;
  /** A decision, or `link` for a person who has signed in meanwhile. */
  readonly question: string;
  readonly values: { readonly provider: string; readonly email: string };
  readonly pending: PendingRow;
  readonly errors: MemberErrors;
}

type Form = NonNullable<IdentityPage['forms']>[number];

/** Returns null for what is no question any more. */
export function toQuestionPage(deps: ProviderPageDeps, shown: Shown): IdentityPage | null {
  const { texts, question, values, pending, errors } = shown;
  const { text } = texts;
  const status = Object.keys(errors).length === 0 ? 200 : 400;
  const { code, mail, password, notMine, link } = createForms(deps, shown);
  const links = [toSignIn(deps, texts, QUESTION_PATH)];
  switch (question) {
    case 'confirm_email':
    case 'mail_claim': {
      const paragraphs = [text('page.identity.confirm_email.text', values)];
      return {
        status,
        title: text('page.identity.confirm_email.title'),
        paragraphs,
        forms: [code, mail],
        links,
      };
    }
    case 'ask_owner': {
      const paragraphs = [text('page.identity.ask_owner.text', values), text('page.identity.not_mine.text')];
      return { status, title: text('page.identity.ask_owner.title'), paragraphs, forms: [password, notMine] };
    }
    case 'prove_account': {
      const paragraphs = [text('page.identity.prove_account.text', values)];
      const forms = pending.code_id === null ? [password, mail] : [password, code, mail];
      return { status, title: text('page.identity.prove_account.title'), paragraphs, forms, links };
    }
    case 'link': {
      const paragraphs = [text('page.identity.link.text', values)];
      return { status, title: text('page.identity.link.title', values), paragraphs, forms: [link] };
    }
    default:
      return null;
  }
}

function createForms({ basePath }: ProviderPageDeps, { texts: { text }, errors }: Shown) {
  const to = (step: string, label: string, more: Partial<Form> = {}): Form => ({
    action: `${basePath}${QUESTION_PATH}/${step}`,
    label,
    ...more,
  });
  const code = {
    name: 'code',
    label: text('page.identity.code.label'),
    error: errors.code && text('page.identity.code.wrong'),
  } as const;
  const password = {
    name: 'password',
    label: text('page.identity.password.label'),
    error: errors.current_password && text('page.identity.password.wrong'),
  } as const;
  return {
    code: to('code', text('page.identity.code.action'), { isMain: true, field: code }),
    mail: to('mail-code', text('page.identity.mail_code')),
    password: to('password', text('page.identity.password.action'), { isMain: true, field: password }),
    notMine: to('not-mine', text('page.identity.not_mine.action')),
    link: to('link', text('page.identity.link.action'), { isMain: true }),
  };
}
