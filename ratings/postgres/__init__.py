"""Django's PostgreSQL backend with limits on the time that a caller waits for a server that does not answer."""
