/** Variables that make a program of `src` that of the next release, with its migrations. */
export const NEXT_RELEASE = {
  NODE_OPTIONS: `--import ${new URL('./register.ts', import.meta.url).href}`,
};

/** Name of the variable with which test/run.ts runs the tests on the schema of the next release, before its contract. */
export const NEXT_SCHEMA = 'TEST_NEXT_SCHEMA';
