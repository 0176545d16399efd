/** Runs a library in a page, as page.ts says. ISSUER and the others are replaced by the bundler. */
export async function run(client) {
  const show = (id, text) => {
    const element = document.createElement('pre');
    element.id = id;
    element.textContent = text;
    document.body.append(element);
  };
  const steps = {
    '/login': () => client.login(),
    '/callback': async () => show('claims', JSON.stringify(await client.callback())),
    '/logout': () => client.logout(),
    '/': () => show('signed-out', 'signed out'),
  };
  try {
    await steps[location.pathname]?.();
  } catch (error) {
    show('failed', String(error?.message ?? error));
  }
}
