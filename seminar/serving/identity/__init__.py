"""Part of the service."""
