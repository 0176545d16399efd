/** The page that browsers get for paths that do not exist. */
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { getBasePath } from '../assets/page-files.ts';
import { PAGE_POLICY } from './document-response.ts';
import { createDocuments } from './documents.ts';

const PATH = 'src/features/pages/documents/not-found.md';

export interface NotFoundPageDeps {
  readonly publicUrl: string;
  readonly console: boolean;
}

/** Creates the renderer of the page. Its text is the same for all paths, which it does not repeat. */
export function createNotFoundPage({ publicUrl, console }: NotFoundPageDeps): RenderProblem {
  const readDocument = createDocuments({ basePath: getBasePath(publicUrl), hasConsole: console });
  return async () => {
    const { content, mediaType } = await readDocument(PATH);
    const headers = {
      'content-type': mediaType,
      'content-security-policy': PAGE_POLICY,
      'x-robots-tag': 'noindex',
    };
    return { headers, body: content };
  };
}
