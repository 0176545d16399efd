/** Bundles the pages when packages are installed: `npm run build:web` does it again. */
import { WEB_DIRECTORIES } from './assets.ts';
import { buildWeb } from './build-web.ts';

await buildWeb(WEB_DIRECTORIES);
