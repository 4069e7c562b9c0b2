"""Search, match and dedupe on Spark: the same calls and the same digits as on one machine.

```python
import likewise.spark

likewise.spark.search(asked, "faq.lw", query_on="question", query_id="id", k=3)
likewise.spark.match(ours, theirs, on="name", id="id", min=0.6)
likewise.spark.dedupe(people, on="name,city", id="id", min=0.7)
```

Frames of PySpark 4 go in and come out, classic or by Spark Connect. No machine needs to hold a table, and results do not depend on how
it is cut into partitions. `likewise` must be installed where Spark's Python workers run.
"""

from __future__ import annotations

from ._link import dedupe, match
from ._numbers import release
from ._search import search

__all__ = ["dedupe", "match", "release", "search"]
