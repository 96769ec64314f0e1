"""What a failure of object storage means, in one line for the user."""

from __future__ import annotations

import re

from seminar.index_url import IndexUrl

_LONGEST = 200
# The first pattern that an error matches says what is wrong and what to do.
_KNOWN = (
    (
        r"NoSuchBucket|The specified bucket does not exist|ContainerNotFound",
        "there is no such bucket. Check the URL, or make the bucket",
    ),
    (
        r"Failed to get AWS credentials|CredentialsNotLoaded|NoCredentials|no storage account|"
        r"169\.254\.169\.254|metadata\.google",
        "no credentials. Name them in the environment: for S3 AWS_ACCESS_KEY_ID and "
        "AWS_SECRET_ACCESS_KEY or AWS_PROFILE, for Google GOOGLE_APPLICATION_CREDENTIALS, for "
        "Azure AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
    ),
    (
        r"QuotaExceeded|InsufficientStorage|EntityTooLarge|507|ServiceQuota",
        "the storage is full, or a quota is reached. Free some space; what was published stays",
    ),
    (
        r"InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|403 Forbidden|Unauthorized|"
        r"status: 401|status: 403",
        "access is denied. Check the credentials and their rights to read, write, list and delete",
    ),
    (
        r"error sending request|dns error|Connect(ion)? ?(refused|Error|reset)|timed out|"
        r"tcp connect|HttpError",
        "the storage can't be reached. Check the network, AWS_ENDPOINT_URL and AWS_REGION",
    ),
    (
        r"5\d\d (Internal|Service|Bad|Slow)|SlowDown|server error|InternalError",
        "the storage answers with errors. Try again later; what was published stays",
    ),
)


def storage_failure(error: str, url: IndexUrl) -> str:
    """The reason and the advice for an error of the library, of which the rest is left out."""
    for pattern, meaning in _KNOWN:
        if re.search(pattern, error, re.IGNORECASE):
            return meaning
    first = re.sub(r",? /\S+\.rs:[\d:]+", "", error.partition("\n")[0])[:_LONGEST]
    return f"{first}. Check it: seminar doctor {url}"
