/** The description that the page renders. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ApiError, send } from '../../common/api.ts';
import type { Json } from './schema.ts';

export const Description = createContext<Json>({});

/** Returns the OpenAPI document. */
export function useDescription(): Json {
  return useContext(Description);
}

/** @throws ApiError */
export async function readDescription(signal: AbortSignal): Promise<Json> {
  const { body } = await send<Json>('/openapi.json', { signal });
  if (typeof body !== 'object') throw unreadable('The response is not JSON.');
  if (typeof body?.paths !== 'object') throw unreadable('The response is not an OpenAPI document.');
  return body;
}

function unreadable(error: string): ApiError {
  return new ApiError(200, { error, code: 'unreadable' });
}
