/** Replaces modules of the service when they are loaded, for what the product has no setting. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const ROOT = `${pathToFileURL(`${import.meta.dirname}/../../..`)}/`;

/** Lets all modules but the replacement itself import it instead of the module. Both are URLs or paths in the project. */
export function replaceModule(module: string, replacement: string): void {
  const [replaced, url] = [new URL(module, ROOT).href, new URL(replacement, ROOT).href];
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const resolved = nextResolve(specifier, context);
      return resolved.url === replaced && context.parentURL !== url ? { ...resolved, url } : resolved;
    },
  });
}
