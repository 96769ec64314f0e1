import argon2
import pytest

from seminar.serving.identity.passwords import LONGEST, Passwords
from seminar.serving.problems import Problem
from seminar.serving.settings import ServiceSettings

QUICK = ServiceSettings(password_rounds=1, password_memory=64)


@pytest.fixture(scope="module")
def passwords() -> Passwords:
    return Passwords(QUICK)


def test_the_settings_are_those_of_argon2_cffi():
    settings = ServiceSettings()
    assert settings.password_rounds == argon2.DEFAULT_TIME_COST
    assert settings.password_memory == argon2.DEFAULT_MEMORY_COST


def test_a_password_fits_its_hash_alone(passwords: Passwords):
    stored = passwords.hash("correct horse")
    assert stored.startswith("$argon2id$")
    assert passwords.fits(stored, "correct horse")
    assert not passwords.fits(stored, "correct horse ")


def test_two_hashes_of_a_password_differ(passwords: Passwords):
    assert passwords.hash("correct horse") != passwords.hash("correct horse")


def test_nothing_fits_an_account_without_a_password(passwords: Passwords):
    assert not passwords.fits(None, "correct horse")


@pytest.mark.parametrize("password", ["", "seven77", "x" * (LONGEST + 1)])
def test_a_new_password_of_another_length_is_a_problem(passwords: Passwords, password: str):
    with pytest.raises(Problem, match="8 to 256 characters"):
        passwords.hash(password)


def test_a_very_long_password_does_not_fit(passwords: Passwords):
    assert not passwords.fits(passwords.hash("x" * LONGEST), "x" * 10_000_000)


def test_a_hash_with_other_parameters_is_outdated(passwords: Passwords):
    stronger = Passwords(ServiceSettings(password_rounds=2, password_memory=64))
    stored = passwords.hash("correct horse")
    assert stronger.is_outdated(stored)
    assert not passwords.is_outdated(stored)
    assert stronger.fits(stored, "correct horse")
