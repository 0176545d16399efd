/** Bundles the pages when packages are installed: `npm run build:web` does it again. */
import { buildWeb } from './build-web.ts';

await buildWeb();
