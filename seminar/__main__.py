"""`python -m seminar`: the command line."""

from seminar.cli.main import run

if __name__ == "__main__":
    run()
