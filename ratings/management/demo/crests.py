"""Crests of the demo federations, drawn for this project."""

from __future__ import annotations

HEAD = '<svg viewBox="0 0 48 48" xmlns="http://www.w3.org/2000/svg">'
SHOGI = (
    f'{HEAD}<path d="M24 3 38 10 43 45H5L10 10z" fill="#f2d9a4" /><path d="M24 12v25M15 19h18M17 27h14M13 37h22"'
    ' fill="none" stroke="#3d2b0d" stroke-width="3.2" stroke-linecap="round" /></svg>'
)
CHESS = (
    f'{HEAD}<path d="M4 4h40v26c0 9-9 13-20 16C13 43 4 39 4 30z" fill="#f3efe2" /><path d="M4 4h20v20H4zM24 24h20v6c0'
    ' 9-9 13-20 16z" fill="#19654c" /><circle cx="24" cy="24" r="7" fill="#e5b545" /></svg>'
)
RENJU = (
    f'{HEAD}<rect width="48" height="48" rx="10" fill="#e7f1f6" /><path d="M8 0v48M16 0v48M24 0v48M32 0v48M40 0v48M0 8'
    'h48M0 16h48M0 24h48M0 32h48M0 40h48" fill="none" stroke="#0b6183" stroke-opacity=".3" /><g fill="#0c2a38">'
    '<circle cx="8" cy="8" r="4" /><circle cx="16" cy="16" r="4" /><circle cx="24" cy="24" r="4" />'
    '<circle cx="32" cy="32" r="4" /><circle cx="40" cy="40" r="4" /></g></svg>'
)
GO = (
    f'{HEAD}<circle cx="24" cy="24" r="23" fill="#eac27a" /><path d="M24 1v46M1 24h46" fill="none" stroke="#5c4314"'
    ' stroke-width="1.5" /><circle cx="16" cy="32" r="9" fill="#1d1420" /><circle cx="32" cy="16" r="9" fill="#fdfcf8"'
    ' stroke="#b9a77f" /></svg>'
)
