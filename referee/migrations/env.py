"""What Alembic runs around the steps of an upgrade: the caller's connection and its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
