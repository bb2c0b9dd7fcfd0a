"""Laboratory: rating systems and options compared on the games of a history, without Django or a database."""
