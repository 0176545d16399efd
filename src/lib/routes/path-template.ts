/** Returns a path of the router as OpenAPI writes it: `/users/{id}` for `/users/:id`. */
export function toPathTemplate(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}');
}
