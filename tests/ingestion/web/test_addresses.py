import pytest

from seminar.errors import IngestionError
from seminar.ingestion.web.addresses import canonical, folder_of, is_address, is_public, linked


@pytest.mark.parametrize(
    "host",
    """
    127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1
    255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fc00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
    2002:7f00:0001:: 64:ff9b::7f00:1 2001:0:4136:e378:8000:63bf:80ff:fffe
    """.split(),
)
def test_addresses_of_machines_and_private_networks_are_not_public(host: str):
    assert not is_public(host)


@pytest.mark.parametrize("host", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1"])
def test_addresses_of_the_internet_are_public(host: str):
    assert is_public(host)


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("HTTPS://Example.ORG:443/a b?q=ä#top", "https://example.org/a%20b?q=%C3%A4"),
        ("http://example.org", "http://example.org/"),
        ("http://bücher.example/x", "http://xn--bcher-kva.example/x"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("https://example.org/a%2Fb/", "https://example.org/a%2Fb/"),
    ],
)
def test_addresses_have_one_form(address: str, form: str):
    assert canonical(address) == form
    assert canonical(form) == form


@pytest.mark.parametrize(
    "address",
    ["ftp://a/b", "https://", "http://a:b/", "http://user:word@a/", "http://[::1", "x" * 3_000],
)
def test_what_is_no_address_is_refused(address: str):
    with pytest.raises(IngestionError):
        canonical(address)


def test_a_password_is_not_shown():
    with pytest.raises(IngestionError) as refusal:
        canonical("https://ada:secret@example.org/")
    assert "secret" not in str(refusal.value)


def test_links_are_resolved_to_pages_only():
    page = "https://example.org/docs/a.html"
    assert linked("b.html#x", page) == "https://example.org/docs/b.html"
    assert linked("//other.org/x", page) == "https://other.org/x"
    assert [linked(href, page) for href in ("mailto:a@b", "javascript:1", "http://[", "#top")] == [
        "", "", "", page
    ]  # fmt: skip


def test_the_same_path_ends_at_the_last_slash():
    assert folder_of("https://example.org/docs/a.html?x=/y/") == "https://example.org/docs/"
    assert folder_of("https://example.org/") == "https://example.org/"


def test_a_path_is_no_address():
    assert not is_address("httpdocs/a.html")
