"""Synthetic histories for benchmarks: generated from a fixed seed, written once, and reused."""
