/** Requests that create something, or act: the service processes each of them once. */
import { useRef } from 'preact/hooks';
import { request } from '../session.ts';

/** Sends an action once, even if its request is sent again. */
export function post<T>(path: string, body: object, key: string = crypto.randomUUID()): Promise<T> {
  const headers = { 'Idempotency-Key': key };
  return request<{ data: T }>(path, { method: 'POST', headers, body }).then((response) => response.body.data);
}

/**
 * Returns a function that creates a record. A request without a response may have been processed: the same body is sent
 * with the same key, until a request has succeeded.
 */
export function usePostOnce<T>(path: string): (body: object) => Promise<T> {
  const attempt = useRef({ text: '', key: '' });
  return async (body) => {
    const text = JSON.stringify(body);
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    const created = await post<T>(path, body, attempt.current.key);
    attempt.current.text = '';
    return created;
  };
}
