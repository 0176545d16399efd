const templates = new Map<string, string>();

/** Returns a path of the router as OpenAPI writes it: `/users/{id}` for `/users/:id`. Only for paths of routes. */
export function toPathTemplate(url: string): string {
  const known = templates.get(url);
  if (known !== undefined) return known;
  const template = url.replace(/:(\w+)/g, '{$1}');
  templates.set(url, template);
  return template;
}
