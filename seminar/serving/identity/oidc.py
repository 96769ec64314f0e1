"""Log in at an OpenID Connect provider: authorization code flow with PKCE, through authlib."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx2
from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth, StarletteOAuth2App
from itsdangerous import BadData, URLSafeTimedSerializer
from joserfc.errors import JoseError
from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from seminar.errors import ConfigurationError
from seminar.serving.identity.names import checked_name
from seminar.serving.problems import Problem
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.schema import NAME_LENGTH, Account

ATTEMPT_SECONDS = 600  # between leaving for the provider and coming back
DISCOVERY = "/.well-known/openid-configuration"


class LoginFailed(Problem):
    """A login at the provider that failed; the page of the login knows what `reason` means."""

    def __init__(self, status: int, reason: str, detail: str) -> None:
        super().__init__(status, detail)
        self.reason = reason


def open_provider(settings: ServiceSettings) -> StarletteOAuth2App | None:
    """The client of the provider that the settings name; it is discovered at the first login."""
    if not settings.oidc_issuer:
        return None
    if not (settings.multi_user and settings.oidc_client and settings.oidc_secret):
        raise ConfigurationError(
            "logging in at an OIDC provider needs several users, 'oidc_client' and 'oidc_secret'"
        )
    issuer = urlsplit(settings.oidc_issuer)
    if issuer.scheme != "https" and not _is_loopback(issuer.hostname or ""):
        raise ConfigurationError(
            f"oidc_issuer: {settings.oidc_issuer!r} must begin with https://, "
            "or its keys could be exchanged on the way"
        )
    registry = OAuth()
    registry.register(
        "provider",
        client_id=settings.oidc_client,
        client_secret=settings.oidc_secret,
        server_metadata_url=settings.oidc_issuer.rstrip("/") + DISCOVERY,
        client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
    )
    client: StarletteOAuth2App = registry.create_client("provider")  # type: ignore[no-untyped-call]
    return client


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def begin_attempt(
    provider: StarletteOAuth2App, settings: ServiceSettings, callback: str
) -> tuple[str, str]:
    """The provider's page to go to, and what the browser keeps until it comes back, signed."""
    try:
        begun = await provider.create_authorization_url(callback)
    except (httpx2.HTTPError, RuntimeError, ValueError) as error:
        raise _unreachable(settings) from error
    kept = {name: begun[name] for name in ("state", "nonce", "code_verifier")}
    return str(begun["url"]), _signer(settings).dumps({**kept, "callback": callback})


async def finish_attempt(
    provider: StarletteOAuth2App,
    settings: ServiceSettings,
    kept: str,
    parameters: Mapping[str, str],
) -> dict[str, object]:
    """The verified claims about who came back from the provider."""
    try:
        attempt = _signer(settings).loads(kept, max_age=ATTEMPT_SECONDS)
    except BadData:
        raise LoginFailed(
            400, "again", "This login was not begun here, or took too long."
        ) from None
    if not hmac.compare_digest(attempt["state"].encode(), parameters.get("state", "").encode()):
        raise LoginFailed(400, "again", "This login was not begun by this browser: begin again.")
    if parameters.get("iss", settings.oidc_issuer) != settings.oidc_issuer:
        raise LoginFailed(400, "again", "This answer comes from another provider: begin again.")
    if "code" not in parameters:
        raise LoginFailed(403, "refused", "The provider did not log you in.")
    try:
        token = await provider.fetch_access_token(  # type: ignore[no-untyped-call]
            redirect_uri=attempt["callback"],
            code=parameters["code"],
            code_verifier=attempt["code_verifier"],
        )
        claims = await provider.parse_id_token(
            token,
            nonce=attempt["nonce"],
            claims_options={
                "iss": {"essential": True, "value": settings.oidc_issuer},
                "aud": {"essential": True, "value": settings.oidc_client},
            },
        )
    except (OAuthError, JoseError) as error:
        raise LoginFailed(
            403, "unverified", "What the provider said of you could not be verified."
        ) from error
    except (httpx2.HTTPError, RuntimeError, ValueError) as error:
        raise _unreachable(settings) from error
    if not claims:
        raise LoginFailed(403, "refused", "The provider sent no id token.")
    return dict(claims)


def account_at_provider(
    db: Session, settings: ServiceSettings, claims: Mapping[str, object]
) -> Account:
    """The account of a person at the provider, made at their first login.

    People are told apart by issuer and subject alone: a name or an address proves nothing.
    """
    _check_allowed(settings, claims)
    issuer, subject = settings.oidc_issuer, str(claims["sub"])
    account = db.scalar(select(Account).where(Account.issuer == issuer, Account.subject == subject))
    if account is None:
        account = Account(name=_free_name(db, claims), issuer=issuer, subject=subject)
        db.add(account)
        db.flush()
    return account


def _check_allowed(settings: ServiceSettings, claims: Mapping[str, object]) -> None:
    if settings.oidc_domains:
        domain = str(claims.get("email", "")).rpartition("@")[2].lower()
        verified = claims.get("email_verified") is True
        if not verified or domain not in {one.lower() for one in settings.oidc_domains}:
            raise LoginFailed(403, "stranger", "Your address at the provider may not log in here.")
    if settings.oidc_groups:
        groups = claims.get("groups")
        named = set(map(str, groups)) if isinstance(groups, list) else set()
        if not named & set(settings.oidc_groups):
            raise LoginFailed(
                403, "stranger", "None of your groups at the provider may log in here."
            )


def _free_name(db: Session, claims: Mapping[str, object]) -> str:
    """A name that no account has: the one at the provider, with a number if it is taken."""
    wanted = "user"
    for claim in ("preferred_username", "email", "name"):
        try:
            wanted = checked_name(str(claims.get(claim) or "")[: NAME_LENGTH - 10])
            break
        except Problem:
            continue
    name, number = wanted, 1
    while db.scalar(select(exists().where(Account.name == name))):
        number += 1
        name = f"{wanted} {number}"
    return name


def _signer(settings: ServiceSettings) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(settings.oidc_secret, salt="seminar.oidc.attempt")


def _unreachable(settings: ServiceSettings) -> LoginFailed:
    return LoginFailed(
        502,
        "unreachable",
        f"The provider {settings.oidc_issuer} did not answer as expected: try again later.",
    )
