import asyncio, json, os, ssl, sys
import aiohttp
from aiohttp_oauthlib import OAuth2Session

environment = os.environ
endpoint = environment["ISSUER"] + "/oauth/"
settings = json.loads(environment["SETTINGS"])
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the callback is on this machine

async def main():
    async with OAuth2Session(
        environment["CLIENT_ID"], scope=["openid", "email", "profile"], redirect_uri=environment["REDIRECT_URI"]
    ) as client:
        print(client.authorization_url(endpoint + "authorize", **settings)[0], flush=True)
        await client.fetch_token(
            endpoint + "token",
            authorization_response=sys.stdin.readline().strip(),
            client_secret=environment["CLIENT_SECRET"],
        )
        async with client.get(endpoint + "userinfo") as response:
            print(json.dumps(await response.json()), flush=True)
        print("", flush=True)

asyncio.run(main())
