"""What alembic runs for every command: the migrations, over the connection that it was given."""

from __future__ import annotations

from alembic import context

from seminar.serving.storage.schema import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    compare_server_default=True,
    user_module_prefix="schema.",
)
context.run_migrations()
