/** Replaces the migrations by those of the next release: to be loaded with `--import`, before the program. */
import { registerHooks } from 'node:module';

const REPLACED = new URL('../../../src/database/migrations/index.ts', import.meta.url).href;
const NEXT = new URL('./migrations.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, resolveNext) {
    const resolved = resolveNext(specifier, context);
    if (resolved.url !== REPLACED || context.parentURL === NEXT) return resolved;
    return { ...resolved, url: NEXT };
  },
});
