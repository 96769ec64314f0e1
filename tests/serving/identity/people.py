"""People with browsers: HTTP clients that keep cookies and send the CSRF token."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from seminar.serving.identity.invitations import first_admin_path
from seminar.serving.settings import ServiceSettings
from tests.serving.conftest import ASSISTANT, Service, running

API = "/api/v1"
PASSWORD = "correct horse battery"
TLS = ssl.create_default_context()  # loading certificates for each browser would take long


@dataclass(frozen=True)
class Person:
    """An account that is logged in, with its browser."""

    id: str
    name: str
    browser: httpx.Client

    def get(self, path: str, **parameters: object) -> dict:
        response = self.browser.get(API + path, params=parameters)
        assert response.status_code == 200, response.text
        return response.json()

    def send(self, method: str, path: str, body: object = None, status: int = 200) -> dict:
        response = self.browser.request(method, API + path, json=body)
        assert response.status_code == status, response.text
        return response.json() if response.content else None


@dataclass(frozen=True)
class People:
    """A service with several users, of whom the admin is logged in."""

    service: Service
    admin: Person
    browsers: ExitStack

    def browser(self) -> httpx.Client:
        """A browser without a session."""
        browser = httpx.Client(base_url=self.service.url, timeout=60, verify=TLS)
        return self.browsers.enter_context(browser)

    def person(self, name: str) -> Person:
        """Somebody new, who has accepted an invitation."""
        url = self.admin.send("POST", "/invitations", {"purpose": "account"}, 201)["url"]
        return accepted(self.browser(), url, name)


def accepted(browser: httpx.Client, url: str, name: str, password: str = PASSWORD) -> Person:
    """The person who follows a link and accepts it."""
    secret = url.rpartition("/")[2]
    response = browser.post(
        f"{API}/invitations/{secret}", json={"name": name, "password": password}
    )
    assert response.status_code == 200, response.text
    return logged_in(browser, response.json())


def logged_in(browser: httpx.Client, session: dict) -> Person:
    """The person whose session was begun."""
    browser.headers["X-CSRF-Token"] = session["csrf"]
    return Person(session["account"]["id"], session["account"]["name"], browser)


def weak(folder: Path, **settings: object) -> ServiceSettings:
    """Settings of a service with several users, with quick password hashes and wide limits."""
    quick = ServiceSettings(
        folder=folder,
        assistant=ASSISTANT,
        multi_user=True,
        password_rounds=1,
        password_memory=64,
        logins_per_minute=10_000,
        requests_per_minute=1_000_000,
    )
    return replace(quick, **settings)


@contextmanager
def people_of(settings: ServiceSettings) -> Iterator[People]:
    """A running service whose first admin has followed the link of the first start."""
    with running(settings) as service:
        with service.state.transactions.begin() as db:
            path = first_admin_path(db)
        assert path is not None
        with ExitStack() as browsers:
            yield People(service, accepted(service.client, path, "root"), browsers)
