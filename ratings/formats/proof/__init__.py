"""The public log of a rating list: Merkle trees of its rows, signed checkpoints, and how both are checked."""
