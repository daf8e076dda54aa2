"""Blocks on the workers of a Dask cluster: what the extra `cardtable-referee[cluster]` brings.

`executor` is the referee's side, `machine` runs in each Dask worker, and `slot` is the process that plays, of which
`fitting` makes sure that it has the same bots.
"""

from __future__ import annotations

__all__: list[str] = []
