"""Migrations of the database, one module a step; alembic runs them."""
