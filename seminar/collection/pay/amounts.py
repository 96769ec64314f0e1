"""Amounts of money as whole minor units (cents), read from and shown as exact decimals."""

from __future__ import annotations

import re
from decimal import Decimal

from seminar.errors import ConfigurationError

# Decimals of a currency's minor unit (ISO 4217) where they aren't two.
_DECIMALS = {
    **dict.fromkeys(("CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
_CODE = re.compile(r"[A-Z]{3}")
_AMOUNT = re.compile(r"-?\d{1,9}(\.\d{1,3})?")


def decimals(currency: str) -> int:
    """How many decimals amounts of a currency have.

    >>> decimals("USD"), decimals("JPY")
    (2, 0)
    """
    if not _CODE.fullmatch(currency):
        raise ConfigurationError(f"currency '{currency}' is no code of three letters, as in USD")
    return _DECIMALS.get(currency, 2)


def minor_units(amount: str, currency: str) -> int:
    """The whole minor units of an amount; what is smaller than one of them is an error.

    >>> minor_units("0.25", "USD"), minor_units("300", "JPY")
    (25, 300)
    """
    if not _AMOUNT.fullmatch(amount):
        raise ConfigurationError(f"amount '{amount}' is no decimal number, as in 0.25")
    scaled = Decimal(amount).scaleb(decimals(currency))
    if scaled != scaled.to_integral_value():
        raise ConfigurationError(f"amount '{amount}' is no whole number of {currency}'s minor unit")
    return int(scaled)


def decimal_amount(units: int, currency: str) -> Decimal:
    """The exact decimal of an amount in minor units.

    >>> decimal_amount(125, "USD"), decimal_amount(-300, "JPY")
    (Decimal('1.25'), Decimal('-300'))
    """
    return Decimal(units).scaleb(-decimals(currency))
