"""Synthetic histories for measuring: written once, seeded, and reused."""
