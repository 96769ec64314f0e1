"""A small OpenID Connect provider over HTTP: discovery, authorization, tokens, keys.

It logs in whoever `person` says, as a provider does where somebody has a session already, and
checks client, redirect, one use of a code, and PKCE. `changed` replaces claims of its tokens, so
that tests can see wrong ones refused.
"""

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI, Form, HTTPException, Request
from fastapi.responses import RedirectResponse
from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "seminar", "a secret of the client, long enough"


@dataclass
class Provider:
    """Who is logged in at the provider, and what it was asked."""

    issuer: str = ""
    person: dict[str, object] = field(default_factory=lambda: {"sub": "1"})
    changed: dict[str, object] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}))
    signing: RSAKey | None = None  # another key than the published one
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    last_request: dict[str, str] = field(default_factory=dict)

    def id_token(self, request: dict[str, str]) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": request["nonce"],
            **self.person,
            **self.changed,
        }
        header = {"alg": "RS256", "kid": self.key.kid}
        return jwt.encode(header, claims, self.signing or self.key)


def provider_app(provider: Provider) -> FastAPI:
    app = FastAPI()

    @app.get("/.well-known/openid-configuration")
    def discovery() -> dict[str, object]:
        return {
            "issuer": provider.issuer,
            "authorization_endpoint": f"{provider.issuer}/authorize",
            "token_endpoint": f"{provider.issuer}/token",
            "jwks_uri": f"{provider.issuer}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    @app.get("/jwks")
    def jwks() -> dict[str, object]:
        return {"keys": [provider.key.as_dict(private=False)]}

    @app.get("/authorize")
    def authorize(request: Request) -> RedirectResponse:
        asked = dict(request.query_params)
        provider.last_request = asked
        if asked.get("client_id") != CLIENT or asked.get("code_challenge_method") != "S256":
            raise HTTPException(400, "unknown client, or no PKCE")
        code = secrets.token_urlsafe()
        provider.codes[code] = asked
        answer = urlencode({"code": code, "state": asked["state"], "iss": provider.issuer})
        return RedirectResponse(f"{asked['redirect_uri']}?{answer}")

    @app.post("/token")
    def token(
        request: Request,
        code: Annotated[str, Form()],
        redirect_uri: Annotated[str, Form()],
        code_verifier: Annotated[str, Form()],
    ) -> dict[str, object]:
        expected = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {expected}":
            raise HTTPException(401, "wrong client")
        asked = provider.codes.pop(code, None)
        digest = hashlib.sha256(code_verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            asked is None
            or asked["redirect_uri"] != redirect_uri
            or asked["code_challenge"] != challenge
        ):
            raise HTTPException(400, "wrong code, redirect or verifier")
        return {
            "access_token": secrets.token_urlsafe(),
            "token_type": "Bearer",
            "expires_in": 300,
            "id_token": provider.id_token(asked),
        }

    return app


@contextmanager
def running_provider() -> Iterator[Provider]:
    """A provider on loopback, until the context is left."""
    provider = Provider()
    server = uvicorn.Server(uvicorn.Config(provider_app(provider), port=0, log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the provider did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        provider.issuer = f"http://127.0.0.1:{port}"
        yield provider
    finally:
        server.should_exit = True
        thread.join()
