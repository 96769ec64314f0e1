"""Where the API is: every path of it begins so, except for those of OpenAI's form."""

PREFIX = "/api/v1"
