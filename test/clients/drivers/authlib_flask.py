import json, os
from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, redirect, session

environment = os.environ
app = Flask(__name__)
app.secret_key = "the secret of a test"
issuer = environment["ISSUER"]
client = OAuth(app).register(
    "frontdesk",
    client_id=environment["CLIENT_ID"],
    client_secret=environment["CLIENT_SECRET"],
    server_metadata_url=issuer + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid email profile", **json.loads(environment["SETTINGS"])},
)

@app.get("/")
def index():
    return "the site"

@app.get("/login")
def login():
    return client.authorize_redirect(environment["REDIRECT_URI"])

@app.get("/callback")
def callback():
    token = client.authorize_access_token()
    session["claims"] = dict(token["userinfo"])
    return redirect("/claims")

@app.get("/claims")
def claims():
    return jsonify(session.get("claims", {}))

app.run(host="localhost", port=int(environment["PORT"]))
