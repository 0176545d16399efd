/** Runs a library that begins a sign-in, finishes it and signs out, as the protocol `lines` of try-client.ts says. */
import { createInterface } from 'node:readline';

export const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, BASE, PORT } = process.env;
export const settings = JSON.parse(process.env.SETTINGS);
export const scope = 'openid email profile';
export const endpoint = (name) => `${ISSUER}/oauth/${name}`;

export async function readUserinfo(accessToken) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await fetch(endpoint('userinfo'), { headers });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

export async function run({ begin, finish, end }) {
  console.log(String(await begin()));
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await finish(new URL(line))));
    console.log(String((await end?.()) ?? ''));
    process.exit();
  }
}
