/** Writes the types of the API for the pages: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { API_TYPES, generateApiTypes } from './generate-client.ts';

writeFileSync(API_TYPES, await generateApiTypes());
