import * as client from 'openid-client';
import { CLIENT_ID, ISSUER, scope } from './lines.mjs';

const config = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, client.None());
const device = await client.initiateDeviceAuthorization(config, { scope });
console.log(device.verification_uri_complete);
const tokens = await client.pollDeviceAuthorizationGrant(config, device);
console.log(JSON.stringify(await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)));
console.log('');
process.exit();
