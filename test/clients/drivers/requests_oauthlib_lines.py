import json, os, sys
from requests_oauthlib import OAuth2Session

environment = os.environ
endpoint = environment["ISSUER"] + "/oauth/"
settings = json.loads(environment["SETTINGS"])
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the callback is on this machine
client = OAuth2Session(
    environment["CLIENT_ID"], scope=["openid", "email", "profile"], redirect_uri=environment["REDIRECT_URI"]
)
print(client.authorization_url(endpoint + "authorize", **settings)[0], flush=True)
client.fetch_token(
    endpoint + "token",
    authorization_response=sys.stdin.readline().strip(),
    client_secret=environment["CLIENT_SECRET"],
)
print(json.dumps(client.get(endpoint + "userinfo").json()), flush=True)
print("", flush=True)
