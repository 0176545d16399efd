"""Client of Frontdesk with the standard library only (Python 3.9 or later).

    python3 examples/python/frontdesk.py http://127.0.0.1:3000

registers a user, logs in, prints the user and logs out.
"""

import json
import secrets
import sys
import urllib.error
import urllib.request


class FrontdeskError(Exception):
    """An error response: programs read `code`, people the text."""

    def __init__(self, status, code, text, retry_after=None):
        super().__init__(f"{text} ({code})")
        self.status = status
        self.code = code
        self.retry_after = retry_after


# region client
class Frontdesk:
    def __init__(self, url, token=None, timeout=10):
        self.url = url.rstrip("/")
        self.token = token
        self.timeout = timeout

    def call(self, method, path, body=None, headers=None):
        """Returns the parsed body. Raises FrontdeskError, or URLError without a response."""
        request = urllib.request.Request(self.url + path, method=method, headers=headers or {})
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                problem = json.load(error)
            retry_after = error.headers.get("Retry-After")
            raise FrontdeskError(error.code, problem["code"], problem["error"], retry_after) from None
    # endregion

    def register(self, name, email, password):
        # With the same key, a retry after a lost response returns the same token.
        key = {"Idempotency-Key": secrets.token_hex(16)}
        body = {"name": name, "email": email, "password": password}
        self.token = self.call("POST", "/api/register", body, key)["access_token"]

    def log_in(self, email, password):
        self.token = self.call("POST", "/api/login", {"email": email, "password": password})["access_token"]

    def get_current_user(self):
        return self.call("GET", "/api/v1/me")["data"]

    def log_out(self):
        self.call("POST", "/api/logout")
        self.token = None




def main(url):
    client = Frontdesk(url)
    email = f"ada-{secrets.token_hex(4)}@example.com"
    password = "correct horse battery staple"
    client.register("Ada Lovelace", email, password)
    try:
        client.log_in(email, "wrong password")
    except FrontdeskError as error:
        print(error.status, error.code)
    client.log_in(email, password)
    print(client.get_current_user()["name"])
    client.log_out()
    try:
        client.get_current_user()
    except FrontdeskError as error:
        print(error.status, error.code)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:3000")
