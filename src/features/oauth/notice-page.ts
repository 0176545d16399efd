/** Pages of the endpoints for browsers that have texts only. */
import type { LinkPage, PageRequest } from '../pages/hosted/page.ts';
import type { PageDeps } from '../pages/links/step-route.ts';
import type { LanguageTexts } from '../texts/language-texts.ts';

type TextName = Parameters<LanguageTexts['text']>[0];

export async function renderNotice(
  { openPage }: PageDeps,
  request: PageRequest,
  {
    title,
    paragraphs,
    ...notice
  }: { status: number; tone: string; title: TextName; paragraphs: readonly TextName[] },
): Promise<LinkPage> {
  const { texts, render } = await openPage(request);
  return render({
    ...{ template: 'notice', canRetry: false, newLinkUrl: null, ...notice },
    title: texts.text(title),
    paragraphs: paragraphs.map((name) => texts.text(name)),
  });
}
